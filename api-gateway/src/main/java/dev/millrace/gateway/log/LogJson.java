package dev.millrace.gateway.log;

import dev.millrace.gateway.http.ServerEvent;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.log.v1.ListLogsResponse;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.LogMatch;
import dev.millrace.proto.log.v1.SearchLogsResponse;

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
        json.integer("position", chunk.getPosition());
    }

    static void page(JsonWriter json, ListLogsResponse answer) {
        json.array("items", answer.getChunksList(), LogJson::chunk);
        json.text("next_page_token", answer.getNextPageToken());
        json.integer("first_position", answer.getFirstPosition());
        json.integer("last_position", answer.getLastPosition());
    }

    static void matches(JsonWriter json, SearchLogsResponse answer) {
        json.array("items", answer.getMatchesList(), LogJson::match);
        json.text("next_page_token", answer.getNextPageToken());
        json.integer("searched_position", answer.getSearchedPosition());
    }

    private static void match(JsonWriter json, LogMatch match) {
        json.integer("position", match.getPosition());
        json.integer("line", match.getLine());
        json.text("job_id", match.getJobId());
        json.text("step", match.getStep());
        json.integer("attempt", match.getAttempt());
        json.text("stream", EnumNames.json(match.getStream(), "STREAM_"));
        json.text("text", match.getText());
        json.time("time", match.getTime());
    }
}
