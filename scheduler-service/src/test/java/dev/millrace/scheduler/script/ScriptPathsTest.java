package dev.millrace.scheduler.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptPathsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "a.py", "wordcount/split.py", ".hidden/x", "a/..b"})
    void acceptsNamesJoinedBySlashes(String path) {
        assertThat(ScriptPaths.isValid(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/.", "a b", "ä.py", "a\n"})
    void refusesAllElse(String path) {
        assertThat(ScriptPaths.isValid(path)).isFalse();
    }

    @Test
    void knowsLanguagesByTheirEndings() {
        assertThat(ScriptPaths.languageOf("a/b.py")).contains(Language.PYTHON);
        assertThat(ScriptPaths.languageOf("b.mts")).contains(Language.DENO);
        assertThat(ScriptPaths.languageOf("b")).isEmpty();
        assertThat(ScriptPaths.languageOf("b.sh")).contains(new Language("bash"));
        assertThat(ScriptPaths.languageOf("b.awk")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Awk", "a b", "1a", "ä", "a\n", "abcdefghijklmnopqrstuvwxyz1234567", "../x"})
    void refusesNamesOfLanguages(String name) {
        assertThat(Language.isValid(name)).isFalse();
    }
}
