"""What the bounds on work measure, and what they let pass."""

import time

import pytest

from tests import pace


def burn(seconds: float) -> None:
    started = time.process_time()
    while time.process_time() - started < seconds:
        sum(range(1_000))


def test_a_bound_is_the_figure_on_a_bench_and_a_guard_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DREAMD_BENCH", "1")
    with pace.within(0.2):
        burn(0.001)
    with pytest.raises(AssertionError, match=r"of CPU, where 0\.05 are allowed"), pace.within(0.05):
        burn(0.06)
    monkeypatch.delenv("DREAMD_BENCH")
    with pace.within(0.05):
        burn(0.06)


def test_what_grows_out_of_hand_fails_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DREAMD_BENCH", raising=False)
    with pytest.raises(AssertionError, match="of CPU"), pace.within(0.01):
        burn(0.01 * pace.SLACK + 0.01)


def test_calls_are_counted_in_python_and_in_c() -> None:
    def twice(text: str) -> str:
        return text.upper().lower()

    with pace.calls() as none:
        pass
    with pace.calls() as some:
        for _ in range(100):
            twice("a")
    assert some.count - none.count in {300, 301}  # the last is the end of the block itself
