package dev.millrace.gateway.log;

import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.log.v1.LogChunk;

/** Writes log chunks as JSON. */
public final class LogJson {

    private LogJson() {}

    /** An event whose id lets a reader continue after it. */
    public static ServerEvent event(LogChunk chunk) {
        return new ServerEvent(
                "log", String.valueOf(chunk.getPosition()), JsonWriter.object(json -> chunk(json, chunk)));
    }

    static void chunk(JsonWriter json, LogChunk chunk) {
        json.text("run_id", chunk.getRunId());
        json.text("job_id", chunk.getJobId());
        json.text("step", chunk.getStep());
        json.integer("attempt", chunk.getAttempt());
        json.integer("sequence", chunk.getSequence());
        json.text("stream", EnumNames.json(chunk.getStream(), "STREAM_"));
        json.text("text", chunk.getText());
        json.time("time", chunk.getTime());
    }
}
