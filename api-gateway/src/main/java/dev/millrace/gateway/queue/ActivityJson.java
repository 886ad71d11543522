package dev.millrace.gateway.queue;

import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.queue.v1.ActivityMinute;
import dev.millrace.proto.queue.v1.ActivityWaits;

/** Writes what a workspace did as JSON. */
final class ActivityJson {
    private ActivityJson() {}

    static void minute(JsonWriter json, ActivityMinute minute) {
        json.time("start_time", minute.getStartTime());
        json.integer("runs_accepted", minute.getRunsAccepted());
        json.integer("runs_succeeded", minute.getRunsSucceeded());
        json.integer("runs_failed", minute.getRunsFailed());
        json.integer("runs_canceled", minute.getRunsCanceled());
        json.object("waits", waits -> waits(waits, minute.getWaits()));
    }

    static void waits(JsonWriter json, ActivityWaits waits) {
        json.integer("jobs", waits.getJobs());
        if (waits.hasMedian()) {
            json.duration("median", waits.getMedian());
        }
        if (waits.hasP95()) {
            json.duration("p95", waits.getP95());
        }
    }
}
