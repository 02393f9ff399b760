"""Pairs of lines: the same said twice, and two things that only look so."""

SAME = (
    (
        "The nightly backup runs at 02:30 UTC.",
        "Backup runs every night at 02:30 UTC",
    ),
    (
        "The API timeout is 30 seconds",
        "The timeout of the API is 30 s",
    ),
    (
        "Use pnpm for installs, not npm",
        "Use pnpm for installs",
    ),
    (
        "We deploy on Tuesdays at 10:00",
        "On Tuesdays we deploy at 10:00",
    ),
    (
        "User prefers tabs over spaces",
        "The user prefers tabs over spaces.",
    ),
    (
        "Never deploy on Fridays",
        "Do not deploy on Fridays",
    ),
    (
        "Ana owns billing.",
        "Ana owns billing and Ben owns search",
    ),
    (
        "Postgres runs on port 5433",
        "PostgreSQL runs on port 5433",
    ),
    (
        "Logs are written to `/var/log/app.log`",
        "The logs are written to /var/log/app.log, one file per day",
    ),
    (
        "Tests need Redis 7.2 running",
        "The tests need a running Redis 7.2",
    ),
    (
        "The team uses Redis and Postgres",
        "The team uses Postgres and Redis",
    ),
    (
        "Das Backup läuft nachts um 02:30 Uhr",
        "Nachts läuft das Backup um 02:30 Uhr",
    ),
    (
        "Die Tests brauchen Redis 7",
        "Der Test braucht Redis 7",
    ),
    (
        "Les sauvegardes tournent à 02:30",
        "La sauvegarde tourne à 02:30",
    ),
    (
        "数据库的端口是5433",
        "数据库端口是 5433",
    ),
    (
        "テストは毎晩2時に実行されます",
        "テストは毎晩2時に実行される。",
    ),
    (
        "Резервная копия делается в 02:30",
        "Резервная копия делается в 02:30.",
    ),
    (
        "The release branch is cut on 2026-03-27",
        "The release branch is cut on 27 March 2026",
    ),
    (
        "The budget is $1,200 per month",
        "The budget is 1200 USD per month",
    ),
    (
        "Retry failed uploads three times",
        "Retry failed uploads 3 times",
    ),
    (
        "The API must be reached over TLS",
        "The API has to be reached over TLS",
    ),
    (
        "The config file lives in conf/app.toml",
        "The configuration file lives in `conf/app.toml`",
    ),
    (
        "Ana's laptop runs Debian 12",
        "The laptop of Ana runs Debian 12",
    ),
    (
        "The staging database is on heron (Frankfurt)",
        "The staging database is on heron",
    ),
    (
        "Standup is on Monday",
        "Standup is on Monday at 9:30",
    ),
    (
        "Prefer dataclasses over dicts. They are typed.",
        "Prefer dataclasses over dicts",
    ),
    (
        "When the queue is full, retries are on",
        "Retries are on when the queue is full",
    ),
    (
        "Ana, our designer, lives in Porto",
        "Our designer Ana lives in Porto",
    ),
    (
        "The limit is 5 MB per upload",
        "Per upload, the limit is 5 MB",
    ),
    (
        "The build usually takes 4 minutes",
        "Usually the build takes four minutes",
    ),
    (
        "Ana owns the label renderer",
        "The label renderer is owned by Ana",
    ),
    (
        "The rent is paid by Ana on the 1st",
        "Ana pays the rent on the 1st",
    ),
    (
        "There are 3 replicas in Oslo",
        "Oslo has 3 replicas",
    ),
    (
        "Wenn die Queue voll ist, sind die Retries an",
        "Die Retries sind an, wenn die Queue voll ist",
    ),
    (
        "I'm allergic to walnuts",
        "I am allergic to walnuts.",
    ),
    (
        "Ana wrote the label renderer",
        "The label renderer was written by Ana.",
    ),
)
OTHERS = (
    (
        "git rebase main before pushing the feature branch",
        "git rebase -i main before pushing the feature branch",
    ),
    (
        "Ana wrote the label renderer",
        "The label renderer is written by Ana",
    ),
    (
        "Runs on port 8080",
        "Runs on port 8081",
    ),
    (
        "The API timeout is 30 s",
        "The API timeout is 30 min",
    ),
    (
        "Ana reports to Ben",
        "Ben reports to Ana",
    ),
    (
        "The API calls the worker",
        "The worker calls the API",
    ),
    (
        "Deploys go from staging to heron",
        "Deploys go from heron to staging",
    ),
    (
        "Deploy on Friday",
        "Never deploy on Friday",
    ),
    (
        "Never deploy on Friday, always on Monday",
        "Always deploy on Friday, never on Monday",
    ),
    (
        "The API listens on 8080",
        "The admin API listens on 8080",
    ),
    (
        "The API used port 8080 for metrics",
        "The API uses port 8080 for metrics",
    ),
    (
        "Tests must pass",
        "Tests should pass",
    ),
    (
        "Tests pass on main",
        "Tests must pass on main",
    ),
    (
        "Ana likes the staging host",
        "Anna likes the staging host",
    ),
    (
        "Jan owns the API",
        "Jana owns the API",
    ),
    (
        "Jens owns the API",
        "Jen owns the API",
    ),
    (
        "The cache is cleared before the deploy",
        "The cache is cleared after the deploy",
    ),
    (
        "Uses Redis for sessions",
        "Uses Redis for queues",
    ),
    (
        "Backups run nightly",
        "Backups run nightly except on Sundays",
    ),
    (
        "Backups run nightly",
        "Backups run nightly in staging",
    ),
    (
        "Backups run nightly",
        "Backups run nightly if the disk is free",
    ),
    (
        "Python 3.11 is required",
        "Python 3.12 is required",
    ),
    (
        "Ana on Friday, Ben on Monday",
        "Ben on Friday, Ana on Monday",
    ),
    (
        "Redis on heron",
        "Heron on Redis",
    ),
    (
        "Ana works for Ben",
        "Ana works with Ben",
    ),
    (
        "Upload at most 5 files",
        "Upload at least 5 files",
    ),
    (
        "Upload 5 files",
        "Upload up to 5 files",
    ),
    (
        "Ran the race in Porto (2026-03-01)",
        "Ran the race in Porto (2026-05-01)",
    ),
    (
        "Ana is moving to Porto",
        "Ana moved to Porto",
    ),
    (
        "Das Backup läuft nicht nachts",
        "Das Backup läuft nachts",
    ),
    (
        "Das Backup läuft nur nachts",
        "Das Backup läuft nachts",
    ),
    (
        "Le serveur n'utilise pas Redis",
        "Le serveur utilise Redis",
    ),
    (
        "数据库端口是5433",
        "数据库端口不是5433",
    ),
    (
        "テストは毎晩2時に実行される",
        "テストは毎晩2時に実行されない",
    ),
    (
        "Plan A is the fallback plan",
        "Plan B is the fallback plan",
    ),
    (
        "Region US is for the tests",
        "Region EU is for the tests",
    ),
    (
        "The user table has 5 columns",
        "The table has 5 columns",
    ),
    (
        "My sister lives in Porto",
        "Her sister lives in Porto",
    ),
    (
        "Сервер использует Redis",
        "Сервер не использует Redis",
    ),
    (
        "- [ ] ship the label renderer",
        "- [x] ship the label renderer",
    ),
    (
        "Should we use pnpm for installs?",
        "We should use pnpm for installs",
    ),
    (
        "The temperature limit is -5 °C",
        "The temperature limit is 5 °C",
    ),
    (
        "Deploy to heron from main",
        "Deploy from heron to main",
    ),
    (
        "Retries are on when the queue is full",
        "The queue is full when retries are on",
    ),
    (
        "Backups run nightly",
        "Backups run nightly, paused until March",
    ),
    (
        "The script is at ~/bin/x.sh on heron",
        "The script is at /bin/x.sh on heron",
    ),
    (
        "The hook posts to http://heron/in",
        "The hook posts to https://heron/in",
    ),
    (
        "The demo is tomorrow (2026-05-10)",
        "The demo is tomorrow (2026-05-11)",
    ),
    (
        "Ana owns the label renderer",
        "Ana is owned by the label renderer",
    ),
    (
        "The worker is called by the API",
        "The worker calls the API",
    ),
    (
        "Die API ruft den Worker",
        "Den API ruft der Worker nicht",
    ),
    (
        "API ruft Worker",
        "Worker ruft API",
    ),
    (
        "Lint on heron takes 5 min, on egret 6 min",
        "Lint on heron takes 6 min, on egret 5 min",
    ),
    (
        "Ana pays Ben 50 euros",
        "Ben pays Ana 50 euros",
    ),
    (
        "The lease ends on 03/04/2026",
        "The lease ends on 2026-04-03",
    ),
)
