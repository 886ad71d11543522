package dev.millrace.harness;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Deno where the workers of a checkout look for it. A worker without Deno leaves the jobs that need it in the queue, so
 * a test would wait for them until its patience ends.
 */
final class RequiredDeno {
    private static final String SLOTS = "millrace.worker.slots";

    private RequiredDeno() {}

    /**
     * Refuses workers that could not run their scripts for Deno.
     *
     * @param settings of the workers: without slots for {@code deno}, they need none
     * @param searchPath folders in which programs are found, as in the variable {@code PATH}
     * @throws IllegalStateException with what to run
     */
    static void check(MillraceHome home, Map<String, String> settings, String searchPath) {
        if (!settings.getOrDefault(SLOTS, "deno").contains("deno")) {
            return;
        }
        Path ofCheckout = home.path().resolve("worker-runtime-deno/node_modules/deno/deno");
        Stream<Path> inPath =
                Stream.of(searchPath.split(File.pathSeparator, -1)).map(folder -> Path.of(folder, "deno"));
        if (Stream.concat(Stream.of(ofCheckout), inPath)
                .noneMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file))) {
            throw new IllegalStateException(
                    "The workers of this cluster would find no Deno, and their jobs in TypeScript"
                            + " would wait forever: run "
                            + home.path().resolve("worker-runtime-deno/install.sh") + ".");
        }
    }
}
