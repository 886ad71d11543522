package dev.millrace.scheduler.input;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schemas of the inputs that versions of scripts take, with caches for submissions. Blocking and thread-safe.
 *
 * <p>A schema may appear, or be replaced by another scheduler, at any time. A stale one never refuses an input: before a
 * refusal, the schema is read again.
 */
public final class InputSchemas {
    private static final Logger logger = LoggerFactory.getLogger(InputSchemas.class);

    /** Maximum number of characters of all schemas that are kept ready to check. A compiled schema takes far more memory. */
    private static final long READY_CHARS_MAX = 512 << 10;

    private static final Duration READY = Duration.ofMinutes(10);

    /** Time after which a version without a schema is looked up again. */
    private static final Duration ABSENT = Duration.ofSeconds(5);

    private static final int ABSENT_MAX = 10_000;

    private final InputSchemaStore store;
    private final BoundedCache<Key, ScriptInputCheck> ready =
            new BoundedCache<>(READY_CHARS_MAX, READY, ScriptInputCheck::chars);
    private final BoundedCache<Key, Boolean> absent = new BoundedCache<>(ABSENT_MAX, ABSENT);

    private record Key(Workspace workspace, String hash) {}

    public InputSchemas(Database database) {
        this.store = new InputSchemaStore(database);
    }

    /**
     * Fails unless a text is a schema that may be kept.
     *
     * @param field path of the schema in the request
     */
    public static Json require(String text, String field) {
        if (text.length() > InputSchema.CHARS_MAX) {
            throw MillraceException.invalid(
                    field,
                    text.length() + " characters (expected: at most " + InputSchema.CHARS_MAX
                            + "): make the schema shorter");
        }
        JsonText.problem(text).ifPresent(problem -> {
            throw MillraceException.invalid(field, "is not valid JSON: " + problem);
        });
        Json schema = new Json(text);
        try {
            JsonSchemas.compile(schema);
        } catch (SchemaInvalid invalid) {
            throw MillraceException.invalid(field + invalid.pointer(), invalid.problem() + " " + invalid.remedy());
        }
        return schema;
    }

    /** The schema of a version, from the database. */
    public Optional<InputSchema> find(Workspace workspace, String hash) {
        return store.find(workspace, hash);
    }

    /**
     * What is certain about the inputs of a version: its schema, else what its text declares, else the names of its parameters.
     *
     * @param source text of the script, which is read only if there is no schema
     */
    public Optional<InputSchema> certain(
            Workspace workspace, JobTarget.Script version, Supplier<Optional<String>> source) {
        return store.find(workspace, version.hash())
                .or(() -> source.get()
                        .flatMap(text -> DeclaredSchemas.of(version.language(), text)
                                .or(() -> MainNames.of(version.language(), text))));
    }

    /** Keeps what a worker has read from a signature, unless there is a schema. Returns whether it was kept. */
    public boolean keep(Workspace workspace, String hash, Json read) {
        boolean isKept = store.keep(workspace, hash, read);
        forget(workspace, hash);
        return isKept;
    }

    /** Lets the schema of a version be read again, because a deployment may have changed it. */
    public void forget(Workspace workspace, String hash) {
        Key key = new Key(workspace, hash);
        ready.remove(key);
        absent.remove(key);
    }

    /** What does not fit in an input; empty if all fits, or if the schema of the version is not known. */
    public List<InputProblem> check(Workspace workspace, String hash, Json input) {
        Key key = new Key(workspace, hash);
        Optional<ScriptInputCheck> known = ready.find(key);
        if (known.isPresent() && known.get().check(input).isEmpty()) {
            return List.of();
        }
        if (known.isEmpty() && absent.find(key).isPresent()) {
            return List.of();
        }
        return load(key, known).map(check -> check.check(input)).orElse(List.of());
    }

    private Optional<ScriptInputCheck> load(Key key, Optional<ScriptInputCheck> known) {
        Optional<InputSchema> stored = store.find(key.workspace(), key.hash());
        if (stored.isPresent()
                && known.filter(check -> check.isOf(stored.get())).isPresent()) {
            return known;
        }
        Optional<ScriptInputCheck> loaded = stored.flatMap(InputSchemas::compile);
        loaded.ifPresentOrElse(
                check -> {
                    ready.put(key, check);
                    absent.remove(key);
                },
                () -> {
                    ready.remove(key);
                    absent.put(key, true);
                });
        return loaded;
    }

    private static Optional<ScriptInputCheck> compile(InputSchema schema) {
        try {
            return Optional.of(ScriptInputCheck.of(schema));
        } catch (SchemaInvalid invalid) {
            logger.atWarn().setCause(invalid).log("A schema that was valid when it was stored checks no inputs.");
            return Optional.empty();
        }
    }
}
