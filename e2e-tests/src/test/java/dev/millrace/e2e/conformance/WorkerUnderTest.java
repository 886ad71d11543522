package dev.millrace.e2e.conformance;

import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A worker of some language that offers the handlers of the suite. */
enum WorkerUnderTest {
    PYTHON_FUNCTIONS {
        @Override
        List<String> command() {
            return List.of(PYTHON, PROGRAMS.resolve("worker.py").toString());
        }

        @Override
        List<String> arguments() {
            return List.of();
        }
    },
    PYTHON_COROUTINES {
        @Override
        List<String> command() {
            return PYTHON_FUNCTIONS.command();
        }

        @Override
        List<String> arguments() {
            return List.of("async");
        }
    },
    NODE {
        @Override
        List<String> command() {
            return List.of(
                    "node",
                    HOME.resolve("worker-runtime-deno/sdk/target/installed/conformance_worker.js")
                            .toString());
        }

        @Override
        List<String> arguments() {
            return List.of();
        }
    },
    JAVA {
        @Override
        List<String> command() {
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx128m",
                    "-cp",
                    CompiledWorker.CLASS_PATH,
                    "ConformanceWorker");
        }

        @Override
        List<String> arguments() {
            return List.of();
        }
    };

    private static final Path HOME = MillraceHome.find().path();
    private static final Path PROGRAMS = HOME.resolve("e2e-tests/conformance");
    private static final String PYTHON =
            HOME.resolve("worker-runtime-python/target/installed/bin/python").toString();

    /** The command without its arguments. */
    abstract List<String> command();

    /** What follows after the address of the scheduler. */
    abstract List<String> arguments();

    /**
     * Starts the worker.
     *
     * @param target address of the scheduler
     * @param log file for its output
     */
    Process start(String target, Path log) {
        var line = new ArrayList<>(command());
        line.add(target);
        line.addAll(arguments());
        var builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .keySet()
                .removeIf(
                        name -> name.startsWith("MILLRACE_") || name.startsWith("PYTHON") || name.startsWith("NODE_"));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Java worker, compiled once against the jars that users get. */
    private static final class CompiledWorker {
        static final String CLASS_PATH = compile();

        private static String compile() {
            try {
                Path classes = Files.createDirectories(Path.of("target", "conformance-worker"));
                String libraries = libraries();
                int exitCode = ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                libraries,
                                "-d",
                                classes.toString(),
                                PROGRAMS.resolve("ConformanceWorker.java").toString());
                if (exitCode != 0) {
                    throw new AssertionError("The Java worker of the conformance suite does not compile.");
                }
                return classes.toAbsolutePath() + ":" + libraries;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String libraries() throws IOException {
            try (Stream<Path> jars = Files.list(HOME.resolve("cli/target/lib"))) {
                return jars.map(Path::toString).collect(Collectors.joining(":"));
            }
        }
    }
}
