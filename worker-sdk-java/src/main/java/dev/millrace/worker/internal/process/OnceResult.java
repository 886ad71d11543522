package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.session.JobErrors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Result of a process that speaks no protocol: a file, else the last line of its output. */
final class OnceResult {
    private static final String FILE = "result.json";
    private static final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // Which of two values counts would depend on who reads the result.
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path folder;
    private final int bytesMax;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private byte[] last = new byte[0];

    /** @param bytesMax largest result; no more of a line is kept */
    OnceResult(Path folder, int bytesMax) {
        this.folder = requireNonNull(folder, "folder");
        this.bytesMax = bytesMax;
    }

    /** There is a result, but it is none that a job may have. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient JobError error;

        private Unusable(JobError error) {
            super(error.getMessage());
            this.error = error;
        }

        JobError error() {
            return error;
        }
    }

    /** Adds output of the process. */
    void add(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                endLine();
            } else if (line.size() <= bytesMax) {
                line.write(bytes[i]);
            }
        }
    }

    private void endLine() {
        if (!line.toString(StandardCharsets.UTF_8).isBlank()) {
            last = line.toByteArray();
        }
        line.reset();
    }

    /** The result as JSON; null if there is neither a file nor a line. */
    String json() throws IOException, Unusable {
        endLine();
        Path file = folder.resolve(FILE);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return ofFile(file);
        }
        requireSize(last.length, "The last line of the output");
        String text = new String(last, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "null" : ofLine(text);
    }

    private String ofFile(Path file) throws IOException, Unusable {
        byte[] content;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            content = in.readNBytes(bytesMax + 1);
        }
        requireSize(content.length, "The file " + FILE);
        try {
            json.readTree(content);
            return new String(content, StandardCharsets.UTF_8).strip();
        } catch (JsonProcessingException e) {
            throw new Unusable(JobErrors.of(
                    "ResultError",
                    "The file " + FILE + " is not JSON: " + e.getOriginalMessage() + ". Write a single JSON value.",
                    false));
        }
    }

    private static String ofLine(String text) {
        if (text.startsWith("{") || text.startsWith("[")) {
            try {
                json.readTree(text);
                return text;
            } catch (JsonProcessingException noJson) {
                return TextNode.valueOf(text).toString();
            }
        }
        return TextNode.valueOf(text).toString();
    }

    private void requireSize(int bytes, String what) throws Unusable {
        if (bytes > bytesMax) {
            throw new Unusable(JobErrors.of(
                    "ResultTooLarge",
                    what + " has more than " + bytesMax + " bytes, which is the most that a result may have."
                            + " Return less, or store the data elsewhere and return its address.",
                    false));
        }
    }
}
