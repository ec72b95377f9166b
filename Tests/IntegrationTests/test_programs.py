"""What the program that ships is made of."""

import re
import subprocess
import unittest

from support import binary, lab_binary

#: Modules that measure, play and simulate, by the names that their symbols have.
LABORATORY = ("APNsMock", "CaptureTools", "ExampleWidgets", "LoadReporting", "RouterSimulation",
              "WidgetFleet", "WidgetTimelines")


def libraries(program):
    """The names of the shared libraries that a program needs, and those that these need."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in listed.splitlines()}


def symbols(program):
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return [line.split()[-1] for line in listed.splitlines()]


class Programs(unittest.TestCase):
    def test_the_router_links_no_foundation(self):
        """But for the part of it that flags need, which has no locales and no network."""
        found = {name for name in libraries(binary()) if "Foundation" in name}
        self.assertEqual(found, {"libFoundationEssentials.so"})

    def test_no_program_links_a_client_for_any_server(self):
        """libcurl brings twenty more, of which none is needed."""
        for program in (binary(), lab_binary()):
            self.assertFalse([name for name in libraries(program) if "curl" in name], program)

    def test_nothing_of_the_laboratory_is_in_the_router(self):
        router, laboratory = symbols(binary()), symbols(lab_binary())
        for module in LABORATORY:
            mark = re.compile(rf"^\$s{len(module)}{module}[0-9A-Z]")
            self.assertFalse([name for name in router if mark.match(name)], module)
            self.assertTrue([name for name in laboratory if mark.match(name)], module)
        self.assertFalse([name for name in router if name.startswith("reference_")])
        self.assertTrue([name for name in laboratory if name.startswith("reference_")])


if __name__ == "__main__":
    unittest.main()
