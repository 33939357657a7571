"""The bar of the staff: each sees the pages that its routes let him see, and no other."""

from __future__ import annotations

from pitboss.server.pages.layout import PLACES, links_for

ALLOWED = {"/floor": frozenset({"supervisor", "auditor"}), "/office/audit": frozenset({"auditor"})}


def test_a_link_is_shown_to_who_may_follow_it_and_only_where_there_is_a_page() -> None:
    assert [each.path for each in links_for(ALLOWED, frozenset({"auditor"}), "/")] == ["/floor", "/office/audit"]
    assert [each.path for each in links_for(ALLOWED, frozenset({"supervisor"}), "/")] == ["/floor"]
    assert links_for(ALLOWED, frozenset({"dealer"}), "/floor") == ()


def test_the_page_that_is_looked_at_is_marked_and_so_is_the_one_above_it() -> None:
    everything = dict.fromkeys((path for path, _ in PLACES), frozenset({"manager"}))
    for path, here in {"/floor": "/floor", "/floor/disputes/3": "/floor/disputes", "/floors": "", "/": ""}.items():
        marked = [each.path for each in links_for(everything, frozenset({"manager"}), path) if each.is_here]
        assert marked == ([here] if here else []), path
