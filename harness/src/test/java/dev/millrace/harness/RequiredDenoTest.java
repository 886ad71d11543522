package dev.millrace.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RequiredDenoTest {
    @TempDir
    private Path folder;

    private MillraceHome checkout;

    @BeforeEach
    void place() {
        checkout = new MillraceHome(folder.resolve("checkout"));
    }

    @Test
    void aMissingOneIsNamedWithTheCommandThatInstallsIt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> RequiredDeno.check(checkout, Map.of(), folder.toString()))
                .withMessageEndingWith("run " + checkout.path() + "/worker-runtime-deno/install.sh.");
    }

    @Test
    void aClusterIsRefusedBeforeAnyOfItsProcessesStarts() {
        var plan = new ClusterPlan(
                1, true, List.of(0), Map.of("millrace.worker.slots", "deno=1"), List.of(), false, checkout);

        assertThatIllegalStateException()
                .isThrownBy(() -> Cluster.start("without-deno", new Unused(), plan))
                .withMessageContaining("install.sh");
    }

    @Test
    void oneOfTheCheckoutOrOfThePathIsEnough() throws IOException {
        program(folder.resolve("bin/deno"));
        assertThatCode(() -> RequiredDeno.check(checkout, Map.of(), "/nonexistent:" + folder.resolve("bin")))
                .doesNotThrowAnyException();

        program(checkout.path().resolve("worker-runtime-deno/node_modules/deno/deno"));
        assertThatCode(() -> RequiredDeno.check(checkout, Map.of(), "/nonexistent"))
                .doesNotThrowAnyException();
    }

    @Test
    void workersWithoutSlotsForDenoNeedNone() {
        assertThatCode(() -> RequiredDeno.check(checkout, Map.of("millrace.worker.slots", "python=2"), "/nonexistent"))
                .doesNotThrowAnyException();
    }

    private record Unused() implements Postgres {
        @Override
        public String jdbcUrl() {
            return "jdbc:postgresql://localhost:1/none";
        }

        @Override
        public void close() {}
    }

    private static void program(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
