package dev.millrace.scheduler.schedule;

import dev.millrace.proto.schedule.v1.OverlapPolicy;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the schedules that the file of a flow declares. */
final class DeclaredScheduleProtos {
    private static final List<String> KEYS = List.of(
            "cron",
            "every",
            "zone",
            "exclude",
            "start",
            "end",
            "overlap",
            "catch_up",
            "jitter",
            "time_input",
            "input",
            "description");
    private static final String POLICY_PREFIX = "OVERLAP_POLICY_";
    private static final String READ_AS = "schedule";

    private DeclaredScheduleProtos() {}

    static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        Timing.Builder timing =
                Timing.newBuilder().addAllCron(fields.texts("cron")).addAllExclude(fields.texts("exclude"));
        fields.text("zone").ifPresent(timing::setZone);
        fields.duration("every").map(TimeProtos::duration).ifPresent(timing::setEvery);
        fields.time("start").map(TimeProtos::timestamp).ifPresent(timing::setStartTime);
        fields.time("end").map(TimeProtos::timestamp).ifPresent(timing::setEndTime);
        ScheduleSettings.Builder settings = ScheduleSettings.newBuilder().setTiming(timing);
        overlap(fields).ifPresent(settings::setOverlap);
        fields.duration("catch_up").map(TimeProtos::duration).ifPresent(settings::setCatchUp);
        fields.duration("jitter").map(TimeProtos::duration).ifPresent(settings::setJitter);
        fields.text("time_input").ifPresent(settings::setTimeInput);
        Violations violations = new Violations();
        ScheduleProtos.check(settings.build(), READ_AS, violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, settings.build());
        return new Declared(
                spec,
                TickNames.input(spec.run(), settings.getTimeInput(), Instant.EPOCH)
                        .orElse(spec.run().input()),
                true,
                "time_input");
    }

    private static Optional<OverlapPolicy> overlap(DeclaredFields fields) {
        return fields.text("overlap").flatMap(name -> {
            try {
                return Optional.of(OverlapPolicy.valueOf(POLICY_PREFIX + name.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException unknown) {
                fields.refuse(
                        "overlap",
                        "\"" + name + "\" (expected: skip, buffer_one, buffer_all, cancel_running or allow)");
                return Optional.empty();
            }
        });
    }
}
