package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindmillLockTest {
    @ParameterizedTest
    @CsvSource({
        "f/a.inline_script.py, f/a.inline_script.lock",
        "a.py, a.lock",
        "f/a.inline_script.bun.ts, f/a.inline_script.lock",
        "a.ts, a.lock"
    })
    void hasTheNameOfTheScript(String script, String lock) {
        assertThat(WindmillLock.pathFor(script)).isEqualTo(lock);
    }

    @Test
    void namesExactVersionsForPython() {
        assertThat(WindmillLock.python(
                        "# py: 3.11\nhumanize==4.9.0\nwmill==1.400.0\nx[y] @ https://example.org/x.whl\n"))
                .hasValue(List.of("humanize==4.9.0", "x[y] @ https://example.org/x.whl"));
        assertThat(WindmillLock.python("# py: 3.11\n")).hasValue(List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "version = 1\nrequires-python = \">=3.12\"\n", "humanize>=4\n", "--index-url x\n"})
    void otherTextsAreNoLocksForPython(String text) {
        assertThat(WindmillLock.python(text)).isEmpty();
    }

    @Test
    void hasTwoPartsForBun() {
        assertThat(WindmillLock.bun("{\"dependencies\": {}}\n//bun.lock\n{\"packages\": {}}"))
                .hasValue(new WindmillLock.Bun("{\"dependencies\": {}}", "{\"packages\": {}}"));
        assertThat(WindmillLock.bun("{}\n//bun.lock\n<empty>")).isEmpty();
        assertThat(WindmillLock.bun("{}\n//bun.lockb\nAAAA")).isEmpty();
    }

    @Test
    void belongsToTheVersionOfItsScript() {
        var given = ScriptFiles.Source.of(Map.of(
                "f/a.lock", "x==1", "f/b.lock", "x==1", "f/requirements.txt", "x", "f/c.script.lock", "no lock"));

        assertThat(ScriptFiles.find("f/a.py", "import x", 1 << 20, given, ScriptFiles.Source.NONE))
                .containsOnlyKeys("f/a.lock");
        assertThat(ScriptFiles.find("f/c.py", "import x", 1 << 20, given, ScriptFiles.Source.NONE))
                .containsOnlyKeys("f/requirements.txt");
        assertThat(ScriptFiles.find("f/c.py", "# requirements:\n# x\n", 1 << 20, given, ScriptFiles.Source.NONE))
                .isEmpty();
    }
}
