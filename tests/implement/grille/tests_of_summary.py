"""Totals, groups and the footer that shows them."""

import pytest
from grille import Column, Table, UnknownColumn
from grille.summary import UnknownAggregate, group_by, summarise, with_totals

SALES = Table(
    ["region", "item", Column("amount", format=".2f"), "pieces"],
    [("north", "apple", 0.5, 3), ("south", "pear", 2.25, None), ("north", "fig", 99.0, 4)],
)


def test_columns_are_summed_up():
    assert summarise(SALES, amount="sum", pieces="mean") == {"amount": 101.75, "pieces": 3.5}
    assert summarise(SALES, amount="min", pieces="count") == {"amount": 0.5, "pieces": 2}
    assert summarise(SALES, amount="max") == {"amount": 99.0}


def test_a_column_without_values_has_no_sum():
    empty = Table(["n"], [(None,), (None,)])
    assert summarise(empty, n="sum") == {"n": None}
    assert summarise(empty, n="count") == {"n": 0}


def test_an_unknown_aggregate_is_refused_with_those_there_are():
    with pytest.raises(UnknownAggregate, match="'median'; there are sum, mean, min, max, count"):
        summarise(SALES, amount="median")


def test_groups_come_in_order_of_first_appearance():
    grouped = group_by(SALES, "region", amount="sum", pieces="count")
    assert grouped.names == ("region", "amount", "pieces")
    assert grouped.rows == (("north", 99.5, 2), ("south", 2.25, 0))
    assert grouped.columns[1].format == ".2f"


def test_a_footer_belongs_to_the_new_table_only():
    footed = SALES.with_footer({"amount": 1})
    assert SALES.footer is None
    assert footed.footer == {"region": None, "item": None, "amount": 1, "pieces": None}
    assert footed.rows == SALES.rows
    assert footed.sort("amount").footer is None


def test_a_footer_for_an_unknown_column_is_refused():
    with pytest.raises(UnknownColumn, match="'colour'"):
        SALES.with_footer({"colour": "red"})


def test_text_shows_the_footer_below_a_rule():
    table = Table(["item", "n"], [("fig", 4), ("pear", 5)]).with_footer({"item": "altogether", "n": 123456})
    assert table.to_text().splitlines() == [
        "item             n",
        "----------  ------",
        "fig              4",
        "pear             5",
        "----------  ------",
        "altogether  123456",
    ]


def test_boxes_close_below_the_footer():
    lines = Table(["n"], [(4,)]).with_footer({"n": 4}).to_text("rounded").splitlines()
    assert lines == ["╭───╮", "│ n │", "├───┤", "│ 4 │", "├───┤", "│ 4 │", "╰───╯"]


def test_markdown_shows_the_footer_in_bold():
    table = Table(["item", "n"], [("fig", 4)]).with_footer({"n": 4})
    assert table.to_markdown().splitlines() == [
        "| item |     n |",
        "| ---- | ----: |",
        "| fig  |     4 |",
        "|      | **4** |",
    ]


def test_html_has_a_table_foot():
    shown = Table(["item"], [("fig",)]).with_footer({"item": "<all>"}).to_html()
    body, _, foot = shown.partition("</tbody>")
    assert "<td>fig</td>" in body
    assert "<tfoot>\n    <tr><td>&lt;all&gt;</td></tr>\n  </tfoot>" in foot


def test_csv_leaves_the_footer_out():
    assert Table(["n"], [(4,)]).with_footer({"n": 4}).to_csv() == "n\n4\n"


def test_totals_carry_a_label():
    assert with_totals(SALES, amount="sum").footer == {
        "region": "total",
        "item": None,
        "amount": 101.75,
        "pieces": None,
    }
    assert with_totals(SALES, "sum", region="count", amount="sum").footer["item"] == "sum"
