package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What scripts in Go need of the standard library. To compile it takes longer than a test waits for a job if the machine is busy. */
final class GoStandardLibrary {
    private static final List<String> PACKAGES = List.of("encoding/json", "fmt", "go/parser", "os/exec", "os/signal");

    private GoStandardLibrary() {}

    /** Compiles it into the cache of a worker. */
    static void compileFor(Path workerFolder) throws Exception {
        for (List<String> flags : List.of(List.<String>of(), List.of("-trimpath"))) {
            List<String> command = new ArrayList<>(List.of("go", "build"));
            command.addAll(flags);
            command.addAll(PACKAGES);
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(workerFolder.toFile()).inheritIO();
            builder.environment().put("CGO_ENABLED", "0");
            builder.environment().put("GOFLAGS", "-modcacherw");
            builder.environment()
                    .put(
                            "GOCACHE",
                            workerFolder.resolve("prepared-caches/go/build").toString());
            assertThat(builder.start().waitFor()).isZero();
        }
    }
}
