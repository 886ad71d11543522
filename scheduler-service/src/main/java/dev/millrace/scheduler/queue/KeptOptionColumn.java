package dev.millrace.scheduler.queue;

import static java.util.stream.Collectors.joining;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.RunTrigger;
import dev.millrace.scheduler.queue.core.StepInput;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Columns of the table {@code run_option}, which hold {@link KeptOptions}. No other class knows these columns. Code
 * that stores a run takes the texts of the columns from here; code that finds a run reads all columns.
 */
public enum KeptOptionColumn {
    ENV("json"),
    JOB_LIMIT("json"),
    START_WITHIN_MILLIS("int8"),
    STARTED_BY("text"),
    STARTER_CREDENTIAL("uuid"),
    TRIGGERED_BY("text"),
    STEP_INPUT_OF("text"),
    STEP_INPUT("json");

    public static final List<KeptOptionColumn> ALL = List.of(values());

    /** Select list for a query that calls the table {@code o}. */
    public static final String SELECTED = each(column -> "o." + column.columnName(), ", ");

    private final String type;

    KeptOptionColumn(String type) {
        this.type = type;
    }

    /** Joins a text for each column. */
    private static String each(Function<KeptOptionColumn, String> said, String separator) {
        return Arrays.stream(values()).map(said).collect(joining(separator));
    }

    /**
     * Statement that inserts rows.
     *
     * @param rows source of the rows: a relation with the columns {@link #declared}, or {@link #parameters}
     */
    public static String insert(String rows) {
        return "insert into run_option (run_id" + each(column -> ", " + column.columnName(), "")
                + ", start_by) select run_id"
                + each(column -> ", " + column.columnName() + "::" + column.type, "")
                + ", now() + start_within_millis::int8 * interval '1 millisecond' from " + rows;
    }

    /** The column definitions of the rows to insert; each option is a text. */
    public static String declared() {
        return "run_id uuid" + each(column -> ", " + column.columnName() + " text", "");
    }

    /** A single row whose values are parameters. */
    public static String parameters() {
        return "(values (?::uuid" + each(_ -> ", ?::text", "") + ")) as o (run_id"
                + each(column -> ", " + column.columnName(), "") + ")";
    }

    public String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The text to insert for the option; null if the option is absent. */
    public @Nullable String write(KeptOptions options) {
        Optional<String> text = switch (this) {
            case ENV -> options.env().map(Json::text);
            case JOB_LIMIT -> options.limit().map(LimitJson::write);
            case START_WITHIN_MILLIS -> options.startWithin().map(time -> Long.toString(time.toMillis()));
            case STARTED_BY -> options.startedBy();
            case STARTER_CREDENTIAL ->
                options.starter().flatMap(RunStarter::credential).map(UUID::toString);
            case TRIGGERED_BY -> options.trigger().map(RunTrigger::text);
            case STEP_INPUT_OF -> options.stepInput().map(StepInput::step);
            case STEP_INPUT -> options.stepInput().map(given -> given.input().text());
        };
        return text.orElse(null);
    }

    /** The options in a row. All columns are null if the run has no options. */
    public static <E extends Exception> KeptOptions read(Row<E> row) throws E {
        return new KeptOptions(
                Optional.ofNullable(row.text(ENV)).map(Json::new),
                LimitJson.read(row.text(JOB_LIMIT)),
                Optional.ofNullable(row.text(START_WITHIN_MILLIS))
                        .map(Long::valueOf)
                        .map(Duration::ofMillis),
                starter(row),
                Optional.ofNullable(row.text(TRIGGERED_BY)).map(RunTrigger::of),
                stepInput(row));
    }

    private static <E extends Exception> Optional<StepInput> stepInput(Row<E> row) throws E {
        String step = row.text(STEP_INPUT_OF);
        Optional<Json> input = Optional.ofNullable(row.text(STEP_INPUT)).map(Json::new);
        return Optional.ofNullable(step).flatMap(known -> input.map(given -> new StepInput(known, given)));
    }

    private static <E extends Exception> Optional<RunStarter> starter(Row<E> row) throws E {
        String name = row.text(STARTED_BY);
        Optional<UUID> credential =
                Optional.ofNullable(row.text(STARTER_CREDENTIAL)).map(UUID::fromString);
        return Optional.ofNullable(name).map(known -> new RunStarter(known, credential));
    }

    /** A row of the table, joined or not. */
    @FunctionalInterface
    public interface Row<E extends Exception> {
        @Nullable String text(KeptOptionColumn column) throws E;
    }
}
