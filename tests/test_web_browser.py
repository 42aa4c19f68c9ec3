"""The pages in a real browser: Debian's Chromium, driven by Playwright."""

import time

import pytest
from web_stage import CHROMIUM, FLAGS, PINS, SCENES, show, staged, started

from web.events import Message

playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium: apt-get install chromium"),
]
PATIENCE_MS = 90_000
playwright.expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as started_playwright:
        browser = started_playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tablet(chromium):
    """Open pages as tablets do; whatever a page complains of fails the test."""
    complaints, contexts = [], []

    def open_page(url, size=(1024, 768), *, may_complain=False):
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        if not may_complain:
            page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(url, wait_until="domcontentloaded")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def server(tmp_path):
    with staged(tmp_path) as one:
        yield one


@pytest.fixture
def by_hand(tmp_path):
    """A server without a camera: tables are entered on the page."""
    with staged(tmp_path, camera=False) as one:
        yield one


def headline(page, text):
    playwright.expect(page.locator("#headline")).to_have_text(text, timeout=PATIENCE_MS)


def test_a_game_is_started_played_by_hand_undone_and_brought_back(by_hand, tablet):
    page = tablet(by_hand.url)
    page.click("#start")
    page.fill("#names li:nth-child(1) input", "Ana")
    page.fill("#names li:nth-child(2) input", "<script>alert(1)</script>")
    page.click("#begin")
    headline(page, "Ana's turn")
    playwright.expect(page.locator("#correct")).to_have_text("Enter the turn")
    page.click("#correct")
    page.click("#new-meld")
    for tile in ("red 10", "red 11", "red 12", "red 13"):
        page.click(f"#picker .cell[aria-label='{tile}']")
    page.click("#picker .others button:not(.go):not(.cell)")
    page.click("#picker .go")
    page.click("#save")
    headline(page, "<script>alert(1)</script>'s turn")
    playwright.expect(page.locator("#verdict .sentence")).to_have_text("Right! Ana opens with 33 points.")
    page.click("#undo")
    headline(page, "Ana's turn")
    page.click("#redo")
    headline(page, "<script>alert(1)</script>'s turn")


def test_a_fault_is_explained_and_the_table_put_back(server, tablet):
    SCENES["fault"](server.world)
    page = tablet(server.url)
    headline(page, "Ana, put it back")
    playwright.expect(page.locator("#verdict .faults li")).to_have_count(2)
    playwright.expect(page.locator("#guide .goal.done")).to_have_count(7)
    page.click("#restored")
    headline(page, "Grandpa Joe's turn")


def test_a_fault_is_overruled(server, tablet):
    SCENES["fault"](server.world)
    page = tablet(server.url)
    page.click("#overrule")
    headline(page, "Grandpa Joe's turn")
    assert server.world.desk.game.now.turns[-1].overruled


def test_one_tap_answers_a_doubt(server, tablet):
    SCENES["doubt"](server.world)
    page = tablet(server.url, (390, 844))
    playwright.expect(page.locator("#doubts .question")).to_have_text("6 or 9?")
    playwright.expect(page.locator("#doubts .closeup")).to_be_visible()
    page.click("#doubts .answer >> nth=0")
    headline(page, "Grandpa Joe's turn")


def test_the_page_follows_what_the_camera_sees_and_the_space_bar_says_done(server, tablet):
    started(server.world, "R3 R4 R5")
    page = tablet(server.url, (1920, 1080))
    headline(page, "Ana's turn")
    show(server.world, "R3 R4 R5 R6")
    server.broadcaster.publish(Message("reading", None))
    playwright.expect(page.locator("#table .tile.fresh")).to_have_count(1)
    page.keyboard.press("Space")
    headline(page, "Grandpa Joe's turn")


def test_two_tablets_show_the_same_and_one_of_two_presses_wins(server, tablet):
    SCENES["play"](server.world)
    one, other = tablet(server.url), tablet(server.url, (390, 844), may_complain=True)
    headline(other, "Grandpa Joe's turn")
    one.click("#done")
    headline(one, "Ben's turn")
    headline(other, "Ben's turn")


def test_a_reload_in_mid_turn_changes_nothing(server, tablet):
    SCENES["play"](server.world)
    page = tablet(server.url)
    headline(page, "Grandpa Joe's turn")
    version = server.world.desk.version
    page.reload(wait_until="domcontentloaded")
    headline(page, "Grandpa Joe's turn")
    assert server.world.desk.version == version


def test_a_wrong_pin_opens_nothing_and_the_right_one_the_buttons(tmp_path, tablet):
    with staged(tmp_path, host="0.0.0.0") as server:  # noqa: S104 -- an app that asks for PINs, bound to loopback
        SCENES["play"](server.world)
        page = tablet(server.url, may_complain=True)
        playwright.expect(page.locator("#done")).to_be_hidden()
        playwright.expect(page.locator("#picture")).to_be_hidden()
        page.click("#unlock")
        page.fill("#pin", "000000")
        page.press("#pin", "Enter")
        playwright.expect(page.locator("#pin-error")).to_have_text("That PIN is wrong.")
        page.fill("#pin", PINS["player"])
        page.press("#pin", "Enter")
        playwright.expect(page.locator("#done")).to_be_visible()
        playwright.expect(page.locator("#undo")).to_be_hidden()


def test_a_server_that_was_gone_is_found_again_and_the_page_is_right(server, tablet):
    SCENES["play"](server.world)
    page = tablet(server.url, may_complain=True)
    headline(page, "Grandpa Joe's turn")
    server.stop()
    playwright.expect(page.locator("#offline")).to_be_visible()
    server.world.desk.end_turn(version=None, now=time.monotonic_ns() // 1_000_000)
    server.start()
    headline(page, "Ben's turn")
    playwright.expect(page.locator("#offline")).to_be_hidden()


def test_a_page_that_was_offline_catches_up(server, tablet):
    SCENES["play"](server.world)
    page = tablet(server.url, may_complain=True)
    headline(page, "Grandpa Joe's turn")
    page.context.set_offline(True)
    server.world.desk.end_turn(version=None, now=time.monotonic_ns() // 1_000_000)
    page.context.set_offline(False)
    headline(page, "Ben's turn")


def test_the_match_ends_with_a_crown_and_its_games_lie_in_the_history(server, tablet):
    SCENES["results"](server.world)
    page = tablet(server.url)
    headline(page, "Ana wins the match!")
    playwright.expect(page.locator("#results .ranking li")).to_have_count(4)
    playwright.expect(page.locator("#results tbody tr")).to_have_count(2)
    page.goto(server.url + "/history", wait_until="domcontentloaded")
    page.click("text=All games")
    page.click(".shelf a >> nth=1")
    playwright.expect(page.locator("h1")).to_contain_text("Game of")
    page.goto(server.url + "/history", wait_until="domcontentloaded")
    page.click("#undo")
    page.wait_for_function("() => document.querySelector('#redo') && !document.querySelector('#redo').disabled")
    assert server.world.desk.game.now.result is None


def test_the_racks_are_counted_tile_by_tile(server, tablet):
    SCENES["end"](server.world)
    page = tablet(server.url, may_complain=True)  # the racks do not fit the hands: they are counted all the same
    page.click("#count")
    for seat, tile in enumerate(("red 7", "joker", "black 1", "orange 13")):
        page.click(f".rack >> nth={seat} >> .on-row")
        page.click(f"#picker .cell[aria-label='{tile}']")
        page.click("#picker .go")
    page.click("#count")
    headline(page, "Ben wins!")


def test_a_rack_is_taken_from_the_picture_and_its_doubt_answered_with_one_tap(server, tablet):
    SCENES["end"](server.world)
    show(server.world, f"{server.world.desk.game.now.table} / R6 K3", doubt="R6")
    page = tablet(server.url + "/racks")
    rack = page.locator(".rack").first
    rack.get_by_role("button", name="From the picture").click()
    playwright.expect(rack.locator(".row .tile[data-tile='R6']")).to_have_count(1)
    rack.locator(".doubts .on-tile[aria-label='red 9']").click()
    playwright.expect(rack.locator(".row .tile[data-tile='R9']")).to_have_count(1)
    playwright.expect(rack.locator(".doubts .on-tile")).to_have_count(0)


def test_the_highest_drawn_tile_says_who_starts(server, tablet):
    SCENES["results"](server.world)
    show(server.world, "K5 / O6 / B12 / R1")
    page = tablet(server.url + "/game/new")
    page.click("#see-drawn")
    playwright.expect(page.locator("#drawn")).to_contain_text("The highest is blue 12")
    page.locator("#drawn .choices button").nth(2).click()
    name = page.locator("#names input").nth(2).input_value()
    playwright.expect(page.locator("#drawn")).to_have_text(f"{name} starts.")
    playwright.expect(page.locator("#starter")).to_have_value("2")


def test_a_tile_is_corrected_by_tapping_it_in_the_photograph(server, tablet):
    SCENES["play"](server.world)
    page = tablet(server.url + "/correct")
    page.locator("#photograph polygon[aria-label='red 7']").dispatch_event("click")
    page.click("#picker .cell[aria-label='orange 7']")
    playwright.expect(page.locator("#rows .tile[data-tile='R7']")).to_have_count(0)
    page.click("#save")
    playwright.expect(page.locator("#table .tile[data-tile='O7'].fresh")).to_have_count(1)


def test_a_pause_for_dinner_says_what_is_gone(server, tablet):
    SCENES["pause"](server.world)
    page = tablet(server.url)
    playwright.expect(page.locator("#paused .difference .tile")).to_have_count(1)
    playwright.expect(page.locator("#done")).to_be_hidden()
    page.click("#resume")
    playwright.expect(page.locator("#done")).to_be_visible()
    playwright.expect(page.locator("#paused")).to_be_hidden()


def test_odd_names_and_right_to_left_push_nothing_off_the_screen(by_hand, tablet):
    names = ("<img src=x onerror=alert(1)>", "x" * 500, "👩‍👩‍👧‍👦🎲", "שרה وليد")
    started(by_hand.world, names=names)
    page = tablet(by_hand.url, (390, 844))
    playwright.expect(page.locator("#players .name bdi >> nth=0")).to_have_text(names[0])
    for path in ("/", "/history", "/table", "/game/new"):
        page.goto(by_hand.url + path, wait_until="domcontentloaded")
        for direction in ("ltr", "rtl"):
            page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
            assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth + 1"), (
                path,
                direction,
            )


PAGES = [
    "/games",
    "/games/1",
    "/",
    "/game/new",
    "/correct",
    "/history",
    "/turns/1",
    "/table",
    "/racks",
    "/camera",
    "/rules",
    "/join",
    "/help",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_of_accessibility(server, chromium, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="needs axe: pip install axe-playwright-python"
    )
    SCENES["play"](server.world)
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 1024, "height": 768})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    found = {}
    for path in PAGES:
        page.goto(server.url + path, wait_until="domcontentloaded")
        page.wait_for_timeout(300)
        levels = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
        results = axe.Axe().run(page, options=levels).response["violations"]
        found.update({f"{path} {one['id']}": [node["html"][:120] for node in one["nodes"]] for one in results})
    context.close()
    assert found == {}


@pytest.mark.parametrize("size", [(1024, 768), (390, 844), (1920, 1080)], ids=["tablet", "phone", "tv"])
def test_every_button_can_be_hit_and_no_page_is_wider_than_the_screen(server, tablet, size):
    SCENES["play"](server.world)
    page = tablet(server.url, size)
    small, wide = [], []
    for path in PAGES:
        page.goto(server.url + path, wait_until="domcontentloaded")
        page.wait_for_timeout(200)
        small += page.evaluate(
            "() => [...document.querySelectorAll('button, select, input, .button, .big')]"
            ".filter((one) => !['radio', 'checkbox'].includes(one.type))"
            ".filter((one) => one.offsetParent && !one.closest('.skip') && one.getBoundingClientRect().height < 43.5)"
            ".map((one) => location.pathname + ' ' + one.outerHTML.slice(0, 80))"
        )
        wide += [path] if page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth + 1") else []
    assert (small, wide) == ([], [])
