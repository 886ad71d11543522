package dev.millrace.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.queue.core.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Python process that calls scripts for fakes. */
final class PythonScripts implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final BufferedWriter calls;
    private final BufferedReader answers;

    PythonScripts(Path folder) throws IOException {
        Path program = folder.resolve("scripts.py");
        try (var source = PythonScripts.class.getResourceAsStream("scripts.py")) {
            Files.write(program, java.util.Objects.requireNonNull(source).readAllBytes());
        }
        process = new ProcessBuilder("python3", "-B", program.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        calls = process.outputWriter();
        answers = process.inputReader();
    }

    Fake fake(Path script) {
        return call -> {
            try {
                ObjectNode request = JSON.createObjectNode().put("file", script.toString());
                request.set("input", JSON.readTree(call.input().text()));
                calls.write(request + "\n");
                calls.flush();
                JsonNode answer = JSON.readTree(answers.readLine());
                return answer.has("result")
                        ? Fake.Answer.of(new Json(answer.path("result").toString()))
                        : Fake.Answer.failure(
                                answer.path("name").asText(),
                                answer.path("message").asText());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        };
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
