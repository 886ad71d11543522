package dev.millrace.scheduler.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Language;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptHashTest {
    private static final String CONTENT = "def main(): return 1\n";

    /** A worker computes the same, see ScriptStoreTest of the SDK. */
    @Test
    void coversTheFileNameWithoutItsFolder() {
        String hash = "9f2f5e808857bb3e419f6f7238c5bb94ff62cb9a1780a03d2f9d75481c93afeb";

        assertThat(with("a.py", CONTENT, Map.of()))
                .isEqualTo(with("other/a.py", CONTENT, Map.of()))
                .isNotEqualTo(with("b.py", CONTENT, Map.of()))
                .isEqualTo(hash);
    }

    @Test
    void isThatOfLanguageAndContentWithoutAPath() {
        assertThat(with("", CONTENT, Map.of()))
                .isEqualTo("953b6f4c3dc3b3cbcae125bf712b3fbea7a3c198edbd890e5b992f13ffb6dae3");
    }

    /** A worker computes the same, see ScriptStoreTest of the SDK. */
    @Test
    void coversPathsAndContentsOfAllFiles() {
        String hash = "ab1fdaba03364d5489c9668d4b76af4681fb5aa34ff9f8bef22134d88d28578a";

        assertThat(with("etl/load.py", CONTENT, Map.of("etl/helper.py", "x = 1", "shared/text.py", "")))
                .isEqualTo(hash);
    }

    @Test
    void changesWithEachPart() {
        Map<String, String> files = Map.of("helper.py", "x = 1");

        assertThat(Stream.of(
                                with("load.py", CONTENT, files),
                                with("load.py", CONTENT + " ", files),
                                with("main.py", CONTENT, files),
                                with("load.py", CONTENT, Map.of("helper.py", "x = 2")),
                                with("load.py", CONTENT, Map.of("helpers.py", "x = 1")),
                                with("load.py", CONTENT, Map.of("helper.py", "x = 1", "more.py", "")),
                                with("helper.py", "x = 1", Map.of("load.py", CONTENT)),
                                with("load.py", CONTENT, Map.of()))
                        .distinct())
                .hasSize(8);
    }

    private static String with(String path, String content, Map<String, String> files) {
        return ScriptHash.of(path, new ScriptSource(Language.PYTHON, content, files));
    }
}
