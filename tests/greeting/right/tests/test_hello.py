from greet.hello import hello


def test_tidy():
    from greet.names import tidy

    assert tidy("  Ada ") == "Ada"


def test_word():
    from greet.words import word

    assert word(8) == "good morning"
    assert word(15) == "good day"


def test_no_such_hour():
    import pytest
    from greet.words import word

    with pytest.raises(ValueError, match="25"):
        word(25)


def test_hello():
    assert hello(" Ada ", 8) == "good morning, Ada"
