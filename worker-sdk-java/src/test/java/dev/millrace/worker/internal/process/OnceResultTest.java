package dev.millrace.worker.internal.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnceResultTest {
    private static final int BYTES_MAX = 1000;

    @TempDir
    Path folder;

    @Test
    void refusesAFileInWhichAKeyIsThereTwice() throws Exception {
        Files.writeString(folder.resolve("result.json"), "{\"a\":1,\"a\":2}");

        assertThatThrownBy(new OnceResult(folder, BYTES_MAX)::json).hasMessageContaining("Duplicate field 'a'");
    }

    @Test
    void aLineInWhichAKeyIsThereTwiceIsAText() throws Exception {
        OnceResult result = new OnceResult(folder, BYTES_MAX);
        byte[] line = "{\"a\":1,\"a\":2}\n".getBytes(UTF_8);

        result.add(line, line.length);

        assertThat(result.json()).isEqualTo("\"{\\\"a\\\":1,\\\"a\\\":2}\"");
    }
}
