package dev.millrace.gateway.queue;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.queue.v1.LimitLine;
import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueuePause;

/** Writes queues and the lines of limits as JSON. */
final class QueueJson {
    private QueueJson() {}

    static void queue(JsonWriter json, Queue queue) {
        json.text("tag", queue.getTag());
        json.optionalText("workspace", queue.getWorkspace());
        json.integer("waiting", queue.getWaiting());
        json.flag("has_more_waiting", queue.getHasMoreWaiting());
        if (queue.hasOldestTime()) {
            json.time("oldest_time", queue.getOldestTime());
        }
        json.integer("running", queue.getRunning());
        json.integer("slots", queue.getSlots());
        json.integer("workers", queue.getWorkers());
        json.object("rate", rate -> {
            rate.number("enqueued_per_second", queue.getRate().getEnqueuedPerSecond());
            rate.number("leased_per_second", queue.getRate().getLeasedPerSecond());
            rate.number("ended_per_second", queue.getRate().getEndedPerSecond());
        });
        if (queue.hasPause()) {
            json.object("pause", pause -> pause(pause, queue.getPause()));
        }
        json.texts("reasons", queue.getReasonsList());
    }

    static void pause(JsonWriter json, QueuePause pause) {
        json.text("actor", pause.getActor());
        json.text("reason", pause.getReason());
        json.time("pause_time", pause.getPauseTime());
        if (pause.hasUntilTime()) {
            json.time("until_time", pause.getUntilTime());
        }
    }

    static void line(JsonWriter json, LimitLine line) {
        json.text("kind", EnumNames.json(line.getKind(), "KIND_"));
        json.text("key", line.getKey());
        json.optionalText("flow", line.getFlow());
        if (line.getMax() > 0) {
            json.integer("max", line.getMax());
        }
        if (line.hasRatePer()) {
            json.object("rate", rate -> {
                rate.integer("count", line.getRateCount());
                rate.duration("per", line.getRatePer());
            });
        }
        json.integer("waiting", line.getWaiting());
        json.flag("has_more_waiting", line.getHasMoreWaiting());
        json.integer("running", line.getRunning());
        json.optionalText("first_run_id", line.getFirstRunId());
        if (line.hasFirstTime()) {
            json.time("first_time", line.getFirstTime());
        }
    }
}
