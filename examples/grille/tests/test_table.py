"""What tables could do before they had totals."""

import pytest

from grille import Column, Table, TableError, UnknownColumn

FRUIT = Table(
    ["name", Column("price", format=".2f"), "stock"],
    [("apple", 0.5, 120), ("pear", 0.75, None), ("fig", 12, 7)],
)


def test_text_aligns_numbers_to_the_right():
    assert FRUIT.to_text() == "\n".join(
        [
            "name   price  stock",
            "-----  -----  -----",
            "apple   0.50    120",
            "pear    0.75",
            "fig    12.00      7",
        ]
    )


def test_boxes_have_rules_around_them():
    lines = FRUIT.select("name").to_text("rounded").splitlines()
    assert lines[0] == "╭───────╮"
    assert lines[1] == "│ name  │"
    assert lines[-1] == "╰───────╯"


def test_wide_characters_take_two_cells():
    assert Table(["a", "b"], [("日本", 1), ("x", 2)]).to_text("plain").splitlines()[1:] == ["日本  1", "x     2"]


def test_long_cells_are_cut_or_wrapped():
    text = "a rather long sentence"
    assert Table([Column("t", max_width=8)], [(text,)]).to_text().splitlines()[-1] == "a rathe…"
    wrapped = Table([Column("t", max_width=8, wrap=True)], [(text,)]).to_text().splitlines()
    assert wrapped[2:] == ["a rather", "long", "sentence"]


def test_markdown_and_back():
    table = Table(["name", "note"], [("a|b", 1), ("c", 22)])
    assert table.to_markdown().splitlines() == ["| name | note |", "| ---- | ---: |", "| a\\|b |    1 |", "| c    |   22 |"]
    assert Table.from_markdown(table.to_markdown()).rows == (("a|b", 1), ("c", 22))


def test_html_is_escaped():
    assert "<td>&lt;b&gt;</td>" in Table(["x"], [("<b>",)]).to_html()


def test_csv_keeps_values_as_they_are():
    assert FRUIT.to_csv().splitlines() == ["name,price,stock", "apple,0.5,120", "pear,0.75,", "fig,12,7"]
    assert Table.from_csv(FRUIT.to_csv()).rows == FRUIT.rows


def test_codes_with_leading_zeros_stay_text():
    assert Table.from_csv("id,n\n007,7\n").rows == (("007", 7),)


def test_rows_without_a_value_are_sorted_last():
    assert FRUIT.sort("stock").column("name") == ("fig", "apple", "pear")
    assert FRUIT.sort("stock", reverse=True).column("name") == ("apple", "fig", "pear")


def test_rows_are_chosen_by_a_function():
    assert FRUIT.where(lambda row: row["price"] < 1).column("name") == ("apple", "pear")


def test_columns_are_chosen_added_and_renamed():
    worth = FRUIT.add_column("worth", lambda row: row["price"] * (row["stock"] or 0))
    assert worth.select("name", "worth").rename(name="fruit").row(2) == {"fruit": "fig", "worth": 84}


def test_tables_turn_on_their_side():
    assert FRUIT.select("name", "stock").transpose().rows == (("stock", 120, None, 7),)


def test_unknown_columns_are_named_with_those_there_are():
    with pytest.raises(UnknownColumn, match="no column 'colour'; there are 'name', 'price', 'stock'"):
        FRUIT.select("colour")


def test_rows_must_fit():
    with pytest.raises(TableError, match="a row has 1 values, but there are 2 columns"):
        Table(["a", "b"], [(1,)])
