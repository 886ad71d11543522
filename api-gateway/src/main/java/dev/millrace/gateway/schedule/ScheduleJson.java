package dev.millrace.gateway.schedule;

import com.google.protobuf.Timestamp;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.run.RunSpecJson;
import dev.millrace.gateway.run.Submissions;
import dev.millrace.proto.schedule.v1.Backfill;
import dev.millrace.proto.schedule.v1.OverlapPolicy;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.Schedule;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.ScheduleStart;
import dev.millrace.proto.schedule.v1.ScheduleVersion;
import dev.millrace.proto.schedule.v1.Timing;
import java.io.IOException;

/** Converts schedules between JSON and messages. In JSON, the fields of their settings stand beside their run. */
final class ScheduleJson {
    private static final String OVERLAP_PREFIX = "OVERLAP_POLICY_";

    static final JsonFields<PutScheduleRequest.Builder> PUT = new JsonFields<PutScheduleRequest.Builder>()
            .required("run", (json, put) -> json.object(Submissions.ONE, put.getRunBuilder()))
            .field("cron", (json, put) -> json.items(() -> timing(put).addCron(json.text())))
            .field("every", (json, put) -> timing(put).setEvery(json.duration()))
            .field("zone", (json, put) -> timing(put).setZone(json.text()))
            .field("exclude", (json, put) -> json.items(() -> timing(put).addExclude(json.text())))
            .field("start", (json, put) -> timing(put).setStartTime(json.time()))
            .field("end", (json, put) -> timing(put).setEndTime(json.time()))
            .field("overlap", (json, put) -> put.getSettingsBuilder().setOverlap(overlap(json)))
            .field("catch_up", (json, put) -> put.getSettingsBuilder().setCatchUp(json.duration()))
            .field("jitter", (json, put) -> put.getSettingsBuilder().setJitter(json.duration()))
            .field("time_input", (json, put) -> put.getSettingsBuilder().setTimeInput(json.text()))
            .field("description", (json, put) -> put.setDescription(json.text()));

    private ScheduleJson() {}

    private static Timing.Builder timing(PutScheduleRequest.Builder put) {
        return put.getSettingsBuilder().getTimingBuilder();
    }

    private static OverlapPolicy overlap(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(OverlapPolicy.class, OVERLAP_PREFIX, name)
                .orElseThrow(() -> json.wrong("is \"" + name + "\" (expected: "
                        + EnumNames.known(OverlapPolicy.class, OVERLAP_PREFIX) + ")"));
    }

    static void write(JsonWriter json, Schedule schedule) {
        json.text("path", schedule.getPath());
        json.object("run", run -> RunSpecJson.write(run, schedule.getRun()));
        write(json, schedule.getSettings());
        json.text("description", schedule.getDescription());
        json.integer("version", schedule.getVersion());
        json.optionalText("flow", schedule.getFlowPath());
        json.flag("paused", schedule.hasPauseTime());
        json.time("pause_time", schedule.getPauseTime());
        json.text("actor", schedule.getActor());
        json.time("create_time", schedule.getCreateTime());
        json.time("update_time", schedule.getUpdateTime());
        json.time("next_time", schedule.getNextTime());
        json.integer("waiting", schedule.getWaiting());
    }

    private static void write(JsonWriter json, ScheduleSettings settings) {
        var timing = settings.getTiming();
        json.texts("cron", timing.getCronList());
        if (timing.hasEvery()) {
            json.duration("every", timing.getEvery());
        }
        json.text("zone", timing.getZone().isEmpty() ? "UTC" : timing.getZone());
        json.texts("exclude", timing.getExcludeList());
        json.time("start", timing.getStartTime());
        json.time("end", timing.getEndTime());
        json.text(
                "overlap",
                settings.getOverlap() == OverlapPolicy.OVERLAP_POLICY_UNSPECIFIED
                        ? "skip"
                        : EnumNames.json(settings.getOverlap(), OVERLAP_PREFIX));
        if (settings.hasCatchUp()) {
            json.duration("catch_up", settings.getCatchUp());
        }
        if (settings.hasJitter()) {
            json.duration("jitter", settings.getJitter());
        }
        json.optionalText("time_input", settings.getTimeInput());
    }

    static void write(JsonWriter json, ScheduleStart start) {
        json.text("occurrence", start.getOccurrence());
        json.text("state", EnumNames.json(start.getState(), "STATE_"));
        json.optionalText("run_id", start.getRunId());
        json.optionalText("reason", start.getReason());
        json.time("occur_time", start.getOccurTime());
        json.time("note_time", start.getNoteTime());
    }

    static void write(JsonWriter json, ScheduleVersion version) {
        json.integer("version", version.getVersion());
        json.text("change", version.getChange());
        json.text("actor", version.getActor());
        json.time("change_time", version.getChangeTime());
    }

    static void write(JsonWriter json, Backfill backfill) {
        json.text("id", backfill.getId());
        json.time("from", backfill.getFromTime());
        json.time("to", backfill.getToTime());
        json.integer("parallel", backfill.getParallelMax());
        json.integer("total", backfill.getTotal());
        json.integer("started", backfill.getStarted());
        json.text("actor", backfill.getActor());
        json.time("create_time", backfill.getCreateTime());
        json.time("end_time", backfill.getEndTime());
    }

    /** A tick of a list. */
    static void write(JsonWriter json, Timestamp tick) {
        json.time("occur_time", tick);
    }
}
