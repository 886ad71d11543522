package dev.millrace.worker.internal.process;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import dev.millrace.worker.internal.jobapi.StepIdentity;
import dev.millrace.worker.internal.session.LeasedJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Encodes the lines sent to a process. */
final class JobLine {
    private static final String EMPTY_INPUT = "{}";

    private JobLine() {}

    /** Returns the line that starts the job. The input is copied unchanged, except that line feeds become spaces. */
    static byte[] job(LeasedJob job, ByteString input) {
        Lease lease = job.lease();
        StringBuilder head = new StringBuilder(256)
                .append("{\"type\":\"job\",\"id\":")
                .append(quoted(lease.getJobId()))
                .append(",\"attempt\":")
                .append(lease.getAttempt())
                .append(",\"run_id\":")
                .append(quoted(lease.getRunId()))
                .append(",\"step\":")
                .append(quoted(lease.getStep()))
                .append(",\"idempotency_key\":")
                .append(quoted(StepIdentity.of(lease).idempotencyKey()))
                .append(",\"deadline_ms\":")
                .append(job.timeout().toMillis())
                .append(",\"traceparent\":")
                .append(quoted(job.traceparent()));
        if (!job.tracestate().isEmpty()) {
            head.append(",\"tracestate\":").append(quoted(job.tracestate()));
        }
        if (job.takesSpans()) {
            head.append(",\"spans\":true");
        }
        job.sharedFolder()
                .ifPresent(folder -> head.append(",\"shared_folder\":").append(quoted(folder.toString())));
        head.append(",\"input\":");
        if (input.isEmpty()) {
            head.append(EMPTY_INPUT);
        }
        byte[] prefix = head.toString().getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[prefix.length + input.size() + 2];
        System.arraycopy(prefix, 0, line, 0, prefix.length);
        input.copyTo(line, prefix.length);
        for (int i = prefix.length; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        line[line.length - 2] = '}';
        line[line.length - 1] = '\n';
        return line;
    }

    /**
     * Returns the line that tells a waiting process its script.
     *
     * @param home the private folder, in which the process works
     */
    static byte[] script(Script script, Path home) {
        String files = script.tree()
                .map(tree -> ",\"files\":" + quoted(tree.toString()))
                .orElse("");
        return ("{\"type\":\"script\",\"path\":" + quoted(script.file().toString()) + ",\"folder\":"
                        + quoted(script.folder().toString()) + ",\"home\":" + quoted(home.toString()) + files + "}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    static byte[] cancel(LeasedJob job) {
        return ("{\"type\":\"cancel\",\"id\":" + quoted(job.jobId()) + "}\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the line that answers a call. */
    static byte[] answer(Frame.Call call, JobApiAnswer answer) {
        StringBuilder line = new StringBuilder(64)
                .append("{\"type\":\"answer\",\"id\":")
                .append(quoted(call.jobId()))
                .append(",\"call\":")
                .append(call.number());
        if (answer instanceof JobApiAnswer.Failed failed) {
            line.append(",\"error\":{\"name\":")
                    .append(quoted(failed.name()))
                    .append(",\"message\":")
                    .append(quoted(failed.message()))
                    .append('}');
        } else if (answer instanceof JobApiAnswer.Value value) {
            line.append(",\"value\":").append(value.json().replace('\n', ' ').replace('\r', ' '));
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
            }
        }
        return '"' + text + '"';
    }
}
