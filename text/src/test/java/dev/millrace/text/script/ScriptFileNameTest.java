package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptFileNameTest {
    @ParameterizedTest
    @CsvSource({
        "a.py, a.py",
        "etl/load.bun.ts, load.bun.ts",
        "etl/load, load",
        "report 1/größe.py, gr__e.py",
        "etl/.py, script.py",
        "etl/, script",
        "'', ''",
    })
    void isTheLastNameOfThePathWithoutSpecialCharacters(String path, String name) {
        assertThat(ScriptFileName.of(path)).isEqualTo(name);
    }

    @Test
    void keepsTheEndingOfALongName() {
        assertThat(ScriptFileName.of("x".repeat(200) + ".py")).hasSize(100).endsWith("x.py");
    }
}
