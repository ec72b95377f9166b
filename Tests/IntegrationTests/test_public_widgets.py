"""Two public widget extensions of others, their sources unchanged, as the page of a fleet's devices draws them.

The sources are fetched with git: from GitHub, or from the clones in the folder of RELOAD_ROUTER_WIDGETS
(deploy/widgets.md). What they need of their apps is in the folder public_widgets.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

from browser import Browser
from support import *

HERE = pathlib.Path(__file__).with_name("public_widgets")
Extension = collections.namedtuple("Extension", "repository commit paths leaves_out")
EXTENSIONS = {
    "WidgetExamples": Extension(
        "pawello2222/WidgetExamples", "3597d226dced7cf11d2ae0304725b359f0770b91",
        [f"Widgets/{name}" for name in ("Components", "IntentWidget", "InteractiveWidget", "LockScreenWidget",
                                        "SharedViewWidget")]
        + ["Shared/Shared.swift", "Shared/WidgetType.swift", "Shared/Components/UserDefaultKey.swift"]
        + [f"Shared/Extensions/{name}+Extensions.swift" for name in ("Date", "UserDefaults")], ()),
    # Without its provider, which reads what the app has stored.
    "nightguard": Extension(
        "nightscout/nightguard", "4d82879b2a8da9d0de9ef2e628c8bbb721e3b7dd", ["nightguard Widget Extension"],
        ("NightguardLiveActivity.swift", "NightguardTimelineProvider.swift")),
}


def sources(name, folder):
    """The extension's Swift files, as they are at the commit."""
    extension = EXTENSIONS[name]
    clones = os.environ.get("RELOAD_ROUTER_WIDGETS")
    if clones:
        place = pathlib.Path(clones) / name
    else:
        place = folder / "clone"
        subprocess.run(["git", "init", "--quiet", place], check=True)
        fetched = subprocess.run(
            ["timeout", "60", "git", "-C", place, "fetch", "--quiet", "--depth", "1",
             f"https://github.com/{extension.repository}", extension.commit], capture_output=True, text=True)
        if fetched.returncode != 0:
            # Whether GitHub can be reached says nothing about the product.
            raise unittest.SkipTest(
                f"{name} cannot be fetched: RELOAD_ROUTER_WIDGETS may name a folder with a clone: {fetched.stderr}")
    archive = subprocess.run(["git", "-C", place, "archive", extension.commit, *extension.paths], check=True,
                             capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return [path for path in folder.rglob("*.swift") if path.name not in extension.leaves_out]


def compiled(name, folder):
    """A program of the extension, made with the modules and objects of the build under test."""
    swift = sources(name, folder)
    build = next((path for path in (pathlib.Path(binary()).parent, CHECKOUT / ".build-tests" / "debug")
                  if (path / "Modules" / "WidgetFleet.swiftmodule").exists()), None)
    if build is None or shutil.which("swiftc") is None:
        reason = "there is no build of the modules, or no swiftc"
        raise AssertionError(reason) if os.environ.get("RELOAD_ROUTER_FULL") == "1" else unittest.SkipTest(reason)
    targets = [path for path in CHECKOUT.glob("Sources/*/*") if path.parent.name != "Commands"
               and path.name not in ("PreviewMacros", "GameOnIOS")]
    # A build keeps the objects of sources that have gone.
    objects = [path for target in targets for path in (build / f"{target.name}.build").rglob("*.o")
               if path.name == f"{target.name}.o" or any(target.rglob(path.name.removesuffix(".o")))]
    objects += [path for each in ("ArgumentParser", "ArgumentParserToolInfo", "Logging")
                for path in (build / f"{each}.build").rglob("*.o")]
    maps = [*CHECKOUT.glob("Sources/System/*/module.modulemap"),
            *(build / f"{path.name}.build" / "module.modulemap" for path in targets)]
    flags = [f"-fmodule-map-file={path}" for path in maps if path.exists()]
    flags += [f"-I{path}" for path in CHECKOUT.glob("Sources/*/C*/include")]
    plugin = build / "PreviewMacros-tool"
    program = folder / name
    made = subprocess.run(
        ["swiftc", "-swift-version", "5", "-parse-as-library", "-module-name", "PublicWidgets", "-I", build / "Modules",
         "-load-plugin-executable", f"{plugin}#PreviewMacros", *(word for flag in flags for word in ("-Xcc", flag)),
         HERE / f"{name}.swift", *swift, *objects, "-lstdc++", "-o", program],
        capture_output=True, text=True)
    if made.returncode != 0:
        raise AssertionError("\n".join(line for line in made.stderr.splitlines() if "error:" in line) or made.stderr)
    return program


def items(drawing):
    """What is drawn of a widget, also in groups and in the background."""
    def flat(some):
        for item in some:
            yield item
            yield from flat(item.get("items", ()))
    return [*flat(drawing.get("background", ())), *flat(drawing["items"])]


def texts(drawing):
    return [item["text"] for item in items(drawing) if "text" in item]


class PublicWidgets(RouterCase):
    """Their structure, and not their pixels."""

    def previews(self, name, bundle, kinds):
        """The previews of the fleet's page, by kind and size; with two devices, so that the page has them."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        program = compiled(name, folder)
        router = self.start(apps={"apps": [{"app": APP, **OPEN, "kinds": [{"kind": kind} for kind in kinds]}]})
        scenario = folder / "scenario.json"
        scenario.write_text(json.dumps({
            "name": name, "app": APP, "bundle": bundle, "devices": 2, "seconds": 600, "ramp": 0,
            "widgets": [{"kind": kind, "family": family, "share": 1} for kind, family in kinds.items()]}))
        process = subprocess.Popen(
            [program, scenario, "--to", router.to, "--page", "127.0.0.1:0", "--connection-each"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=clean_environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.url = next(word for line in process.stdout for word in line.split() if word.startswith("http"))
        return self.listed()

    def listed(self):
        with urllib.request.urlopen(f"{self.url}events", timeout=60) as events:
            for line in events:
                if line == b"event: previews\n":
                    previews = json.loads(next(events).removeprefix(b"data: "))
                    return {(one["kind"], one["family"]): one["view"] for one in previews}
        raise AssertionError("the page has no previews")

    def drawn(self):
        """The page of previews, in a browser: it must not complain."""
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.open(self.url, "document.querySelector('.kind')")
        self.addCleanup(page.close)
        self.assertEqual(page.complaints, [])
        return page

    def test_widget_examples_has_gradients_symbols_buttons_and_gauges(self):
        views = self.previews("WidgetExamples", "PublicWidgets", {
            "intentWidget": "systemSmall", "lockScreenWidget": "systemSmall", "sharedViewWidget": "systemSmall"})
        # A header at the margins, over a gradient from corner to corner, at 70 per cent.
        intent = views["intentWidget", "systemSmall"]
        (back,) = intent["background"]
        self.assertEqual((back["frame"], back["paint"]["linear"]), ([0, 0, 158, 158], [0, 0, 1, 1]))
        self.assertTrue(all(color.endswith("/70") for color, _ in back["paint"]["stops"]), back)
        self.assertEqual(texts(intent)[0], "Intent")
        self.assertEqual(next(item["at"][0] for item in items(intent) if "text" in item), 16)
        # A symbol as large as the half of the widget without its margins, in front of a filled circle.
        circle, symbol = views["sharedViewWidget", "systemSmall"]["items"]
        self.assertEqual(circle["frame"], [16, 16, 126, 126])
        self.assertEqual(circle["paint"]["stops"][-1], ["teal", 1])
        self.assertEqual(symbol["frame"][2:], [63, 63])
        # Two buttons with symbols, side by side, in the tint of their style.
        interactive = items(views["interactiveWidget", "systemSmall"])
        buttons = [item for item in interactive if item.get("role") == "button"]
        self.assertEqual([symbol["symbol"] for button in buttons for symbol in items(button) if "symbol" in symbol],
                         ["plus", "arrow.circlepath"])
        (first, second) = (button["frame"] for button in buttons)
        self.assertGreaterEqual(second[0], first[0] + first[2])
        # Gauges: a ring on the lock screen, a bar elsewhere.
        gauges = {family: next(item for item in items(views["lockScreenWidget", family]) if item.get("role") == "meter")
                  for family in ("accessoryCircular", "accessoryRectangular", "systemSmall")}
        lines = {family: sum("line" in item for item in items(gauge)) for family, gauge in gauges.items()}
        self.assertEqual(lines, {"accessoryCircular": 2, "accessoryRectangular": 0, "systemSmall": 0})
        for view in views.values():
            self.assertEqual(view["omissions"], [])
        page = self.drawn()
        self.assertEqual(page.evaluate("document.querySelectorAll('.symbol.unknown').length"), 0)
        self.assertEqual(page.evaluate("document.querySelectorAll('.accessoryCircular .meter').length"), 1)

    def test_nightguard_has_its_colours_and_a_ring(self):
        kind = "org.duckdns.dhe.nightguard.Nightguard{}Widgets".format
        views = self.previews("nightguard", "NightguardWidgetsBundle", {
            kind("Default"): "systemSmall", kind("Gauge"): "accessoryCircular"})
        # The value in the middle is green, in 60 points, on black; a picture of the app is not drawn, which is said.
        small = views[kind("Default"), "systemSmall"]
        self.assertEqual(small["background"][0]["paint"], "black")
        value = next(item for item in items(small) if item.get("size") == 60)
        self.assertEqual((value["text"], value["weight"], value["paint"]), ("100", 700, "#00FF80"))
        self.assertTrue(any(item.get("paint") == "separator" for item in items(small)))
        self.assertEqual(small["omissions"], ["the picture “WidgetImageBlack”"])
        # A gauge with two labels on the usual background of the lock screen.
        gauge = views[kind("Gauge"), "accessoryCircular"]
        self.assertEqual(gauge["items"][0]["paint"], "quaternary")
        self.assertEqual(sorted(texts(gauge)), ["+2", "100"])
        self.assertEqual(sum(item.get("role") == "meter" for item in items(gauge)), 1)
        page = self.drawn()
        self.assertEqual(page.evaluate("document.querySelectorAll('.meter').length"), 1)


if __name__ == "__main__":
    unittest.main()
