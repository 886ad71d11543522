package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.language.JobStart;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the lines of the process protocol for a process that does not speak it. The line of the job becomes what its
 * language gives the process to read; the line that cancels it becomes SIGTERM to all its processes.
 */
final class OnceInput extends OutputStream {
    private static final Logger logger = LoggerFactory.getLogger(OnceInput.class);
    private static final ObjectMapper json = new ObjectMapper();
    private static final String INPUT = ",\"input\":";
    private static final String SHARED = "shared";

    private final ScriptPool pool;
    private final WarmProcess warm;
    private final Process process;
    private final Script script;
    private final Path folder;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** @param folder working folder of the process */
    OnceInput(ScriptPool pool, WarmProcess warm, Process process, Script script, Path folder) {
        this.pool = requireNonNull(pool, "pool");
        this.warm = requireNonNull(warm, "warm");
        this.process = requireNonNull(process, "process");
        this.script = requireNonNull(script, "script");
        this.folder = requireNonNull(folder, "folder");
    }

    @Override
    public void write(int one) {
        line.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        line.write(bytes, from, length);
    }

    /** Acts on the line that was written; lines are flushed one by one. */
    @Override
    public void flush() throws IOException {
        byte[] bytes = line.toByteArray();
        line.reset();
        if (bytes.length > 0) {
            JsonNode read = json.readTree(bytes);
            if (read.path("type").asText().equals("job")) {
                begin(read, inputOf(new String(bytes, StandardCharsets.UTF_8)));
            } else {
                pool.background().execute(this::terminate);
            }
        }
    }

    /** The input, which is the last key of the line, as it was given: to read and write it would change its numbers. */
    private static String inputOf(String line) {
        return line.substring(line.indexOf(INPUT) + INPUT.length(), line.lastIndexOf('}'));
    }

    private void begin(JsonNode job, String jobInput) throws IOException {
        ScriptLanguage language = script.runtime().language().orElseThrow();
        byte[] input;
        try {
            share(job.path("shared_folder").asText(""));
            input = language.input(
                    script.version(),
                    new JobStart(
                            job.path("id").asText(),
                            job.path("run_id").asText(),
                            job.path("step").asText(),
                            job.path("attempt").asInt(),
                            job.path("idempotency_key").asText(),
                            jobInput));
        } catch (JobException e) {
            pool.fail(warm, JobErrors.of(e.name(), String.valueOf(e.getMessage()), e.isRetryable()));
            return;
        }
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write('\n');
            stdin.flush();
            stdin.write(input);
        } catch (IOException e) {
            logger.debug("A process did not read its input to the end; how it ends says whether it needed it.", e);
        }
    }

    /** Makes the folder that steps share appear in the working folder, as it does for other scripts. */
    private void share(String sharedFolder) throws IOException {
        if (!sharedFolder.isEmpty()) {
            Path shared = Path.of(sharedFolder);
            Files.createDirectories(shared);
            Files.createSymbolicLink(folder.resolve(SHARED), shared);
        }
    }

    /** Ends the first process before those that it waits for, so that it does not go on with its next command. */
    private void terminate() {
        List<ProcessHandle> started = process.descendants().toList();
        process.toHandle().destroy();
        started.forEach(ProcessHandle::destroy);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
