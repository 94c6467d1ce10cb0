"""What metrics say together."""

from inlay.model.statistics import Metric, summarise


def job(*errors: str, done: bool = True, **more: object) -> Metric:
    given: dict[str, object] = {
        "at": "2026-02-01T00:00:00.000Z",
        "job": "edit",
        "model": "m",
        "format": "f",
        "outcome": "done" if done else "failed",
        "attempts": len(errors) + done,
        "errors": errors,
        "input_tokens": 10,
        "output_tokens": 2,
        "cost": 0.25,
        "seconds": 1.0,
    }
    return Metric(**given | more)  # type: ignore[arg-type]


def test_how_often_a_further_attempt_mended_the_first() -> None:
    found = summarise(
        [
            job(),
            job("not-found"),
            job("not-found", "syntax"),
            job("not-found", "syntax", "syntax", done=False),
            job("truncated"),
        ]
    )
    assert [(m.error, m.jobs, m.by_attempt) for m in found.mendings] == [
        ("not-found", 3, ((2, 1), (3, 1))),
        ("truncated", 1, ((2, 1),)),
    ]
    assert found.mendings[0].rate == 2 / 3
    assert (found.retried, found.mended, found.retry_success) == (4, 3, 0.75)


def test_what_was_spent_and_saved() -> None:
    found = summarise([job(whole_tokens=10), job(whole_tokens=10, done=False), job(cost=None)])
    assert (found.all.cost, found.all.unpriced) == (0.5, 1)
    assert (found.all.saved_tokens, found.all.saved) == (8, 0.8), "what failed has saved nothing"
    assert summarise([job()]).all.saved is None


def test_by_model_and_format_and_from_a_day_on() -> None:
    jobs = [job(), job(model="n"), job(format="g", at="2026-03-01T00:00:00.000Z")]
    assert [(g.model, g.format, g.jobs) for g in summarise(jobs).groups] == [
        ("m", "f", 1),
        ("m", "g", 1),
        ("n", "f", 1),
    ]
    assert summarise(jobs, "2026-02-15").all.jobs == 1
    assert summarise([]).retry_success is None
