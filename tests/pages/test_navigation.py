"""The bar of the staff: each person sees the pages that their roles may open, and no other."""

from __future__ import annotations

from pitboss.room.people.roles import ANYONE
from pitboss.server.pages.layout import PLACES, Menu, links_for

ALLOWED = {"/floor": frozenset({"supervisor", "auditor"}), "/office/audit": frozenset({"auditor"})}


def test_a_link_is_shown_to_who_may_follow_it_and_only_where_there_is_a_page() -> None:
    assert [each.path for each in links_for(ALLOWED, frozenset({"auditor"}), "/")] == ["/floor", "/office/audit"]
    assert [each.path for each in links_for(ALLOWED, frozenset({"supervisor"}), "/")] == ["/floor"]
    assert links_for(ALLOWED, frozenset({"dealer"}), "/floor") == ()


def test_issue_20_the_odds_are_in_the_menu_of_the_staff_and_a_stranger_has_no_menu() -> None:
    allowed = {"/odds": frozenset({ANYONE})}
    assert [link.title for link in links_for(allowed, frozenset({"dealer"}), "/odds")] == ["Odds"]
    assert links_for(allowed, frozenset(), "/odds") == ()


def test_the_page_that_is_looked_at_is_marked_and_so_is_the_one_above_it() -> None:
    everything = dict.fromkeys((place.path for place in PLACES), frozenset({"manager"}))
    for path, here in {"/floor": "/floor", "/floor/disputes/3": "/floor/disputes", "/floors": "", "/": ""}.items():
        marked = [each.path for each in links_for(everything, frozenset({"manager"}), path) if each.is_here]
        assert marked == ([here] if here else []), path


def test_the_menu_is_grouped_and_the_bar_has_four_pages() -> None:
    everything = dict.fromkeys((place.path for place in PLACES), frozenset({"manager"}))
    menu = Menu(links_for(everything, frozenset({"manager"}), "/office/hits/7"))
    assert [group for group, _ in menu.groups] == ["", "Floor", "Money", "Setup", "Audit"]
    assert [link.title for link in menu.bar] == ["Today", "Floor", "Consoles", "Jackpots"]
    assert [link.title for link in menu.links if link.is_here] == ["Jackpots paid"]
    words = {link.path: link.title for link in menu.links}
    assert words["/office/slides"] == "Promotions"
    assert words["/office/audit"] == "Audit log"
    assert words["/office/room"] == "Settings"
