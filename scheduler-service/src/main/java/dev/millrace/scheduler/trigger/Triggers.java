package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.FlowTriggerRows;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.submission.Submissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The triggers of one kind: creates, changes, lists and deletes them, and reads what they have started. Each change is a
 * version, and whoever makes it is the one for whom the trigger acts from then on. Blocking and thread-safe.
 */
public final class Triggers {
    /** Maximum number of triggers of a kind in a workspace. */
    public static final int TRIGGERS_MAX = 200_000;
    /** Largest description of the run of a trigger, with its fixed input, in bytes. */
    static final int RUN_BYTES_MAX = 64 << 10;

    /** Maximum length of a description, in characters. */
    public static final int DESCRIPTION_LENGTH_MAX = 500;

    private static final String INPUT_FIELD = "run.input";
    private static final UUID LAST = new UUID(-1, -1);

    private final TriggerKind kind;
    private final TriggerKindRows rows;
    private final TriggerStore store;
    private final TriggerStartStore starts;
    private final Submissions submissions;
    private final StandingTokens tokens;
    private final IdSource ids;

    /** @param rows what the kind keeps of its triggers, changed in the same transactions */
    public Triggers(
            Database database,
            TriggerKind kind,
            TriggerKindRows rows,
            Submissions submissions,
            StandingTokens tokens,
            IdSource ids) {
        this.kind = kind;
        this.rows = rows;
        this.store = new TriggerStore(database, kind, rows);
        this.starts = new TriggerStartStore(database);
        this.submissions = submissions;
        this.tokens = tokens;
        this.ids = ids;
    }

    public TriggerKey key(Workspace workspace, String path) {
        return new TriggerKey(workspace, kind, path);
    }

    /**
     * Creates or changes a trigger. The caller must have the role developer in its folder.
     *
     * @throws MillraceException if the caller could not start such a run now, for example because the target does not
     *     exist or the caller may not run it; {@code TOO_MANY}; {@code IN_USE} if the file of a flow declares it
     */
    public Trigger put(TriggerKey key, TriggerSpec spec, Access by) {
        requireSmall(key, spec);
        check(key, spec, by);
        return store.put(
                        new TriggerId(ids.nextUuid()),
                        key,
                        spec,
                        Optional.empty(),
                        writer(key.workspace(), by),
                        TRIGGERS_MAX)
                .orElseThrow(() -> tooMany(key.workspace(), kind));
    }

    /** Hundreds of triggers are read at once when their ticks are due, and those that listen are kept in memory. */
    static void requireSmall(TriggerKey key, TriggerSpec spec) {
        int bytes = spec.run().bytes().size();
        if (bytes > RUN_BYTES_MAX) {
            throw MillraceException.invalid(
                    "run.input",
                    "the run of the " + key.kind().phrase() + " " + key.path() + " has " + bytes
                            + " bytes with its input (expected: at most " + RUN_BYTES_MAX
                            + "); let its flow read larger values from a resource or a blob");
        }
    }

    static MillraceException tooMany(Workspace workspace, TriggerKind kind) {
        return new MillraceException(
                ErrorCode.TOO_MANY,
                "Workspace " + workspace + " has " + TRIGGERS_MAX + " triggers of the kind " + kind.text()
                        + ", as many as it may have: delete some first.");
    }

    /**
     * Fails if the caller could not start the run of the trigger now. Changes nothing. What lacks in the input counts for
     * schedules only, since an event brings the rest.
     */
    public void check(TriggerKey key, TriggerSpec spec, Access by) {
        try {
            var _ = submissions.one(by, key.workspace(), rows.sample(spec));
        } catch (MillraceException refused) {
            boolean isForInput = !refused.violations().isEmpty()
                    && refused.violations().stream()
                            .allMatch(violation -> violation.field().startsWith(INPUT_FIELD));
            if (kind == TriggerKind.SCHEDULE || !isForInput) {
                throw refused;
            }
        }
    }

    /**
     * Prepares to make the triggers that the file of a flow declares what the file says: to create, change and delete
     * some.
     *
     * @return empty if the file declares none and did not before
     */
    Optional<FlowTriggerRows> replaceOfFlow(
            Workspace workspace, String flow, Map<TriggerKey, TriggerSpec> wanted, Access by) {
        return rowsOfFlow(workspace, flow, wanted, () -> writer(workspace, by));
    }

    /** Like {@link #replaceOfFlow}, for changes that are rolled back: issues no token that acts for the caller. */
    Optional<FlowTriggerRows> planOfFlow(
            Workspace workspace, String flow, Map<TriggerKey, TriggerSpec> wanted, Access by) {
        return rowsOfFlow(workspace, flow, wanted, () -> new TriggerStore.Writer(by.name(), Optional.empty()));
    }

    private Optional<FlowTriggerRows> rowsOfFlow(
            Workspace workspace,
            String flow,
            Map<TriggerKey, TriggerSpec> wanted,
            Supplier<TriggerStore.Writer> writer) {
        if (wanted.isEmpty() && !store.hasOfFlow(workspace, flow)) {
            return Optional.empty();
        }
        List<TriggerId> fresh = Stream.generate(() -> new TriggerId(ids.nextUuid()))
                .limit(wanted.size())
                .toList();
        return Optional.of(store.ofFlow(workspace, flow, wanted, writer.get(), fresh));
    }

    /** The trigger. Fails with {@link ErrorCode#TRIGGER_NOT_FOUND} if there is none. */
    public Trigger get(TriggerKey key) {
        return store.find(key).orElseThrow(() -> notFound(key));
    }

    /** A trigger as it was in one of its last versions; 0 is the current one. */
    public Trigger get(TriggerKey key, long version) {
        Trigger now = get(key);
        return version == 0 || version == now.version()
                ? now
                : store.version(now, version)
                        .orElseThrow(() -> new MillraceException(
                                ErrorCode.TRIGGER_NOT_FOUND,
                                "The " + kind.phrase() + " " + key.path() + " has no version " + version
                                        + " that is still known: its versions are listed with who has made them."));
    }

    public Optional<Trigger> find(TriggerKey key) {
        return store.find(key);
    }

    /** Triggers of all workspaces that are not paused, the oldest first, for kinds that listen themselves. */
    public List<Trigger> active(int limit) {
        return store.active(limit);
    }

    /**
     * Fails with {@link ErrorCode#TOO_MANY} if so many triggers of the kind are active beside this one in the whole
     * installation, or half as many in its workspace: one workspace must not leave none to the others.
     */
    public void requireActiveBelow(int max, TriggerKey key) {
        int workspaceMax = max / 2;
        TriggerStore.Active active = store.activeBeside(store.find(key).map(Trigger::id), key.workspace());
        if (active.inWorkspace() >= workspaceMax) {
            throw tooManyActive("workspace " + key.workspace().name(), workspaceMax);
        }
        if (active.inAll() >= max) {
            throw tooManyActive("installation", max);
        }
    }

    private MillraceException tooManyActive(String where, int max) {
        return new MillraceException(
                ErrorCode.TOO_MANY,
                "The " + where + " has " + max + " active triggers of the kind " + kind.text()
                        + ", as many as it may have, because each of them keeps connections open: pause or delete some first.");
    }

    /** The triggers that the caller may see, in the order of their paths. */
    public PageRequest.Page<Trigger> list(Workspace workspace, Access by, PageRequest page) {
        return page.of(
                limit -> store.list(workspace, by.visibleFolders(workspace), page.after(), limit),
                trigger -> trigger.key().path());
    }

    /** Pauses the trigger: from then on it starts nothing. What it has accepted before still starts. */
    public Trigger pause(TriggerKey key, Access by) {
        return store.pause(key, true, writer(key.workspace(), by)).orElseThrow(() -> notFound(key));
    }

    /** Resumes the trigger, which acts for the caller from then on. Fails if the caller could not start its run now. */
    public Trigger resume(TriggerKey key, Access by) {
        check(key, get(key).spec(), by);
        return store.pause(key, false, writer(key.workspace(), by)).orElseThrow(() -> notFound(key));
    }

    /** Deletes the trigger with its history. Runs that it has started go on. */
    public Trigger delete(TriggerKey key) {
        return store.delete(key).orElseThrow(() -> notFound(key));
    }

    /** The changes of a trigger, newest first, 100 at most. */
    public List<TriggerVersion> versions(TriggerKey key) {
        return store.versions(get(key).id());
    }

    /** What the trigger has started and what not, newest first. */
    public PageRequest.Page<TriggerStart> history(TriggerKey key, PageRequest page) {
        TriggerId id = get(key).id();
        UUID before = page.after().isEmpty() ? LAST : uuid(page.after());
        return page.of(
                limit -> starts.list(id, before, limit), start -> start.id().toString());
    }

    /** What became of an occurrence. */
    public Optional<TriggerStart> occurrence(Trigger trigger, String occurrence) {
        return starts.find(trigger.id(), occurrence);
    }

    /** An id for the run of an occurrence. */
    public RunId nextRun() {
        return ids.nextRun();
    }

    private TriggerStore.Writer writer(Workspace workspace, Access by) {
        return new TriggerStore.Writer(by.name(), tokens.of(by, workspace, "triggers"));
    }

    static void requireKeeper(Trigger trigger, Optional<String> flow) {
        if (!trigger.flow().equals(flow)) {
            throw new MillraceException(
                    ErrorCode.IN_USE,
                    "The " + trigger.key().kind().phrase() + " " + trigger.key().path() + " "
                            + trigger.flow()
                                    .map(keeper -> "is declared in the file of the flow " + keeper
                                            + ": change the file and deploy it again.")
                                    .orElse(
                                            "was created on its own: delete it, or give the one in the file of the flow "
                                                    + flow.orElse("") + " another name."));
        }
    }

    private MillraceException notFound(TriggerKey key) {
        return new MillraceException(
                ErrorCode.TRIGGER_NOT_FOUND,
                "There is no " + kind.phrase() + " " + key.path() + " in workspace " + key.workspace() + ".");
    }

    private static UUID uuid(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
