"""What people state of themselves is heard in other languages too, and no request is."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd.domain.evidence import Query, Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.evidence.light import light

PLANTED = Path(__file__).parents[1] / "planted" / "seen" / "tongues.txt"
AT = datetime(2026, 5, 11, 9, tzinfo=UTC)
FLOOR = {"de": 16, "fr": 14, "es": 14, "ru": 14, "zh": 14}  # all of them
FLOOR |= {"it": 5, "pt": 6, "nl": 6, "uk": 6, "ar": 6, "ja": 6}  # of 6


def heard(text: str) -> list[Snippet | Query]:
    return list(light([PersonSaid(text, "5e55", "p1", AT, AT.date())]))


def stated(text: str) -> list[str]:
    return [each.statement for each in heard(text) if isinstance(each, Snippet)]


def planted() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in PLANTED.read_text("utf-8").splitlines():
        if line.startswith("# "):
            _, tongue, kind = line.split()
        else:
            found[tongue, kind].append(line)
    return found


def test_statements_are_heard_in_each_language() -> None:
    caught = Counter(
        tongue
        for (tongue, kind), lines in planted().items()
        if kind == "states"
        for line in lines
        if len(found := stated(line)) == 1 and found[0].rstrip(".。") == line.rstrip(".。")
    )
    assert {tongue: caught[tongue] for tongue in FLOOR if caught[tongue] < FLOOR[tongue]} == {}


def test_no_request_or_question_is_a_statement() -> None:
    asks = [line for (_, kind), lines in planted().items() if kind == "asks" for line in lines]
    assert len(asks) == 279
    assert [line for line in asks if stated(line)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Bitte schreib eine Funktion, die zwei Listen mischt.",
        "Ajoute 2 colonnes à la table des clients.",
        "Добавь 2 столбца в таблицу клиентов.",
        "请给购物车类写3个测试。",
        "هل يمكنك شرح كيفية إعادة تشغيل الحاوية؟",
    ],
)
def test_a_request_is_what_was_asked(text: str) -> None:
    (found,) = heard(text)
    assert isinstance(found, Query)
    assert found.text == text


@pytest.mark.parametrize(
    "text",
    [
        # an order behind what somebody tells
        "Wir nutzen Postgres, also ändere das Schema entsprechend.",
        "Nous utilisons Postgres, alors change le schéma et ajoute la table.",
        # an order in a word that is in no list
        "Raccourcis mon paragraphe en 2 phrases.",
        "Подбери мне 3 фильма.",
        "Konfiguriere den Port 8080 für das Gateway.",
        # what is only imagined
        "Angenommen, ich habe 3 Kinder.",
        "Supongamos que tenemos 5 servidores.",
        "Предположим, у нас 5 серверов.",  # noqa: RUF001
        "假设我有5台服务器。",
        # who listens, and what is not known
        "Ich habe dir die Datei geschickt.",
        "Я отправил тебе файл.",
        "Je me demande si Redis est utile.",
        "Me pregunto si Redis es útil.",
        "我看不懂这段代码。",
        # how things go just now
        "Mon code ne marche pas.",
        "У меня ошибка при сборке.",  # noqa: RUF001
        "Ich werde das später testen.",
        "我的代码报错了。",
    ],
)
def test_what_only_looks_like_a_statement_is_none(text: str) -> None:
    assert stated(text) == []


def test_what_has_been_asked_takes_no_statement_beside_it() -> None:
    text = "Unser Team trifft sich jeden Dienstag um 10 Uhr. Kannst du mir einen Plan machen?"
    assert stated(text) == ["Unser Team trifft sich jeden Dienstag um 10 Uhr."]


@pytest.mark.parametrize(
    "text",
    [
        "Regions: eu-central-1 primary, eu-west-1 failover.",
        "Mia adopted 2 kittens in Leeds.",
        "Los Angeles gave me 3 offers.",
        "De La Cruz told me Los Feliz has 2 parks.",
        "We met Mon Ami in Ghent 3 times.",
    ],
)
def test_english_with_a_word_of_another_language_is_english(text: str) -> None:
    assert stated(text) == [text]
