package dev.millrace.scheduler.postgres;

import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.List;

/** Reads the triggers of PostgreSQL that the file of a flow declares. */
public final class DeclaredPostgresProtos {
    private static final List<String> KEYS = List.of(
            "connection", "table", "column", "channel", "interval", "batch_max", "start", "input", "description");
    private static final String READ_AS = "postgres";

    private DeclaredPostgresProtos() {}

    public static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        PostgresSource.Builder source = PostgresSource.newBuilder();
        fields.text("connection").ifPresent(source::setConnection);
        fields.text("table").ifPresent(source::setTable);
        fields.text("column").ifPresent(source::setColumn);
        fields.text("channel").ifPresent(source::setChannel);
        fields.duration("interval").map(TimeProtos::duration).ifPresent(source::setInterval);
        fields.number("batch_max").ifPresent(source::setBatchMax);
        fields.text("start").ifPresent(start -> {
            switch (start) {
                case "earliest" -> source.setStart(PostgresSource.Start.START_EARLIEST);
                case "latest" -> source.setStart(PostgresSource.Start.START_LATEST);
                default -> fields.refuse("start", "\"" + start + "\" (expected: earliest or latest)");
            }
        });
        Violations violations = new Violations();
        PostgresProtos.check(source.build(), READ_AS, violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec);
    }
}
