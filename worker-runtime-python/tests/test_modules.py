"""Scripts that import the files of their version."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime_process import RuntimeProcess

HELPER = "NAME = __name__\ndef f(): return 'helper'"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("load.py", "import helper\ndef main(): return helper.f()"),
        ("load.py", "from helper import f\ndef main(): return f()"),
        ("load.py", "from .helper import f\ndef main(): return f()"),
        ("load.py", "from . import helper\ndef main(): return helper.f()"),
        ("etl/load.py", "from ..helper import f\ndef main(): return f()"),
        ("etl/load.py", "from helper import f\ndef main(): return f()"),
        ("etl/load.py", "from lib.text import f\ndef main(): return f()"),
        ("etl/load.py", "import lib.text\ndef main(): return lib.text.f()"),
        ("etl/load.py", "from ..lib.text import f\ndef main(): return f()"),
        ("etl/load.py", "def main():\n    from .near import f\n    return f()"),
        ("json/load.py", "import json\nfrom ..helper import f\ndef main(): return json.loads(json.dumps(f()))"),
        ("a-b/v1.2/load.py", "from .near import f\ndef main(): return f()"),
        ("a-b/v1.2/load.py", "from ...helper import f\ndef main(): return f()"),
        ("package/load.py", "from . import f\ndef main(): return f()"),
        ("a-b/package/load.py", "from . import f\ndef main(): return f()"),
    ],
)
def test_imports_its_files(tmp_path: Path, name: str, source: str) -> None:
    files = {"helper.py": HELPER, "lib/text.py": "from helper import f"}
    for folder in ("etl", "a-b/v1.2"):
        files[f"{folder}/near.py"] = HELPER
    for folder in ("package", "a-b/package"):
        files[f"{folder}/__init__.py"] = HELPER
    with RuntimeProcess(tmp_path, source, name=name, files=files) as process:
        assert process.result() == "helper"


def test_takes_the_standard_library_before_its_files(tmp_path: Path) -> None:
    source = """
        import email.message
        from .email import mine

        def main():
            return [email.message.Message.__name__, mine]
    """
    with RuntimeProcess(tmp_path, source, files={"email.py": "mine = 1"}) as process:
        assert process.result() == ["Message", 1]


def test_takes_its_files_before_installed_packages(tmp_path: Path) -> None:
    source = "import pytest\ndef main(): return pytest.mine"
    with RuntimeProcess(tmp_path, source, files={"pytest.py": "mine = 1"}) as process:
        assert process.result() == 1


def test_files_may_import_the_script(tmp_path: Path) -> None:
    files = {"etl/helper.py": "def f():\n    from .load import STATE\n    from load import STATE as same\n    return STATE is same"}
    source = "from .helper import f\nSTATE = object()\ndef main(): return f()"
    with RuntimeProcess(tmp_path, source, name="etl/load.py", files=files) as process:
        assert process.result() is True


def test_a_file_is_one_module_however_it_is_imported(tmp_path: Path) -> None:
    source = """
        import helper
        from . import helper as relative
        from ..etl.helper import STATE as above
        from etl.helper import STATE as rooted
        import etl.package
        from .package import part

        def main():
            from .helper import STATE
            same = {id(each) for each in (helper.STATE, relative.STATE, above, rooted, STATE)}
            return [len(same), helper.runs, etl.package.__name__, part.__name__, helper.again() is helper]
    """
    files = {
        "etl/helper.py": "STATE = object()\nruns = globals().get('runs', 0) + 1\ndef again():\n    from . import helper\n    return helper",
        "etl/package/__init__.py": "",
        "etl/package/part.py": "from ..helper import STATE",
    }
    with RuntimeProcess(tmp_path, source, name="etl/load.py", files=files) as process:
        assert process.result() == [1, 1, "etl.package", "etl.package.part", True]


def test_loads_a_file_again_that_failed(tmp_path: Path) -> None:
    source = """
        def main():
            for _ in range(2):
                try:
                    import helper
                except ValueError:
                    pass
            from .helper import tries
            return tries
    """
    files = {"helper.py": "import os\ntries = int(os.environ.get('T', '0')) + 1\nos.environ['T'] = str(tries)\nif tries < 3: raise ValueError"}
    with RuntimeProcess(tmp_path, source, files=files) as process:
        assert process.result() == 3


def test_names_file_and_line_of_an_error(tmp_path: Path) -> None:
    files = {"etl/helper.py": "def f():\n    raise ValueError('bad')\n"}
    source = "from .helper import f\ndef main(): f()"
    with RuntimeProcess(tmp_path, source, name="etl/load.py", files=files) as process:
        stack = str(process.error()["stack"])
        assert 'File "etl/load.py", line 2, in main' in stack
        assert 'File "etl/helper.py", line 2, in f' in stack
        assert "raise ValueError('bad')" in stack
        assert str(tmp_path) not in stack


@pytest.mark.parametrize(
    ("helper", "name", "place"),
    [
        ("x = (", "SyntaxError", 'File "etl/helper.py", line 1'),
        ("x = 1\n1 / 0", "ZeroDivisionError", 'File "etl/helper.py", line 2, in <module>'),
        ("import no_such_module", "ModuleNotFoundError", 'File "etl/helper.py", line 1, in <module>'),
        ("from load import gone", "ImportError", 'File "etl/helper.py", line 1, in <module>'),
    ],
)
def test_names_file_and_line_of_an_error_while_loading(tmp_path: Path, helper: str, name: str, place: str) -> None:
    source = "from . import helper\ndef main(): pass"
    with RuntimeProcess(tmp_path, source, name="etl/load.py", files={"etl/helper.py": helper}) as process:
        failure = process.next_frame()
        assert [failure["type"], failure["name"]] == ["load_error", name]
        assert place in failure["stack"]
        assert "importlib" not in failure["stack"]
        assert str(tmp_path) not in failure["stack"] + failure["message"]


def test_leaves_the_folder_of_its_files_as_it_is(tmp_path: Path) -> None:
    source = "import os\nos.environ.pop('PYTHONDONTWRITEBYTECODE', 0)\nimport sys\nsys.dont_write_bytecode = False\nimport lib.a\ndef main(): return lib.a.x"
    with RuntimeProcess(tmp_path, source, files={"lib/a.py": "x = 1"}) as process:
        assert process.result() == 1
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == ["lib", "lib/a.py", "script.py"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "from helpers.text import slug",
            "No module named 'helpers'. There is neither a file helpers/text.py nor a folder helpers/text, beside the script or in"
            " the root of its version. If there should be, deploy the script again with it. It is a name of own files.",
        ),
        (
            "import lib.gone",
            "No module named 'lib.gone'. lib was found in lib/__init__.py, and has no module gone.",
        ),
        (
            "import absent_space.nothing",
            "No module named 'absent_space'. There is neither a file absent_space/nothing.py nor a folder absent_space/nothing,"
            " beside the script or in the root of its version. If there should be, deploy the script again with it. The index was not asked.",
        ),
        (
            "from lib.text import gone",
            "cannot import name 'gone' from 'lib.text' (lib/text.py). Here, text is the file lib/text.py of this version, which"
            " comes before a package of that name. If the package is meant, rename the file.",
        ),
    ],
)
def test_says_what_was_looked_for_where(tmp_path: Path, source: str, message: str) -> None:
    files = {"lib/__init__.py": "", "lib/text.py": ""}
    variables = {"MILLRACE_ABSENT": "* The index was not asked.\nhelpers It is a name of own files."}
    with RuntimeProcess(tmp_path, source, files=files, variables=variables) as process:
        assert process.next_frame()["message"] == message


def test_takes_the_reasons_out_of_the_environment(tmp_path: Path) -> None:
    source = "import os\ndef main(): return 'MILLRACE_ABSENT' in os.environ"
    with RuntimeProcess(tmp_path, source, variables={"MILLRACE_ABSENT": "* None."}) as process:
        assert process.result() is False


def test_names_the_file_that_hides_a_package(tmp_path: Path) -> None:
    source = "import stripe\ndef main(): return stripe.Refund"
    with RuntimeProcess(tmp_path, source, files={"stripe.py": "def main(): pass"}) as process:
        assert process.error()["message"].endswith(
            "has no attribute 'Refund'. Here, stripe is the file stripe.py of this version, which comes before a package of"
            " that name. If the package is meant, rename the file."
        )


@pytest.mark.parametrize("own", ["import pytest", "from pytest import mark", "import os, pytest as p"])
def test_a_script_named_after_a_package_does_not_hide_it(tmp_path: Path, own: str) -> None:
    source = f"{own}\ndef main():\n    import pytest\n    return [pytest.mark is not None, __name__]"
    with RuntimeProcess(tmp_path, source, name="pytest.py") as process:
        assert process.result() == [True, "millrace_script"]
    with RuntimeProcess(tmp_path, source, name="team/pytest.py", files={"other.py": ""}) as process:
        assert process.result() == [True, "millrace_script"]


def test_a_neighbor_named_after_a_package_does_not_hide_it(tmp_path: Path) -> None:
    source = """
        import pytest
        from .pytest import mine

        def main():
            return [pytest.mark is not None, mine]
    """
    files = {"team/pytest.py": "import pytest\nmine = 1"}
    with RuntimeProcess(tmp_path, source, name="team/plural.py", files=files) as process:
        assert process.result() == [True, 1]
