package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs to their end. */
final class Command {
    private Command() {}

    /** All variables of a program. */
    record Environment(Map<String, String> variables) {
        Environment {
            variables = Map.copyOf(variables);
        }
    }

    /** How a program ended, and what it wrote. */
    record Result(int exitCode, String output, String errors) {}

    /**
     * Runs a program and waits for its end.
     *
     * @throws IOException if it cannot be started
     */
    static Result run(List<String> command, Environment environment, byte[] input) throws IOException {
        Path errors = Files.createTempFile("millrace-", ".err");
        try {
            var builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment.variables());
            Process process = builder.start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input);
            } catch (IOException closed) {
                // A program that ended early says why at its end.
                process.onExit().join();
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(
                    process.waitFor(), output, Files.readString(errors).strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the worker is stopping", e);
        } finally {
            Files.deleteIfExists(errors);
        }
    }
}
