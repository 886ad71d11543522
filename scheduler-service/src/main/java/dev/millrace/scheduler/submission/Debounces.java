package dev.millrace.scheduler.submission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.flow.core.graph.Accumulation;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.machine.RunKey;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.Bucket;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Merges close submissions of a flow into one run if the flow's definition asks for it. Blocking and thread-safe. */
public final class Debounces {
    private static final Logger log = LoggerFactory.getLogger(Debounces.class);

    /** How long a run waits for its key. If its scheduler dies meanwhile, the run begins after this time. */
    private static final Duration KEY_LEAD = Duration.ofMinutes(1);

    private final DebounceStore store;
    private final FlowCatalog catalog;
    private final IdSource ids;
    private final PendingRuns pending;
    private final DebounceKeys keys = new DebounceKeys();
    private final StartOrder order = new StartOrder();

    /** What becomes of the runs that wait for further submissions. */
    public interface PendingRuns {
        /** Called after the time at which a run is to begin has been set. */
        void startLater();

        /** Ends a run as failed that has not begun and that nothing has changed since it was accepted. */
        void fail(RunId run, JobError error);

        /** Ends a run as canceled that has not begun and that nothing has changed since it was accepted. */
        void cancel(RunId run, JobError reason);
    }

    /** @param inputBytesMax largest input of a run, in bytes */
    public Debounces(Database database, FlowCatalog catalog, IdSource ids, int inputBytesMax, PendingRuns pending) {
        this.store = new DebounceStore(database, inputBytesMax);
        this.catalog = catalog;
        this.ids = ids;
        this.pending = pending;
    }

    /**
     * Submits the runs of a flow that merges submissions. Empty for other submissions. {@code Outdated} if the
     * submission relies on remembered versions.
     */
    Optional<SubmitResult> submit(Submission submission) {
        Optional<NewRun> merged =
                submission.runs().stream().filter(this::isMerged).findFirst();
        if (merged.isEmpty()) {
            return Optional.empty();
        }
        if (submission.runs().size() > 1) {
            throw MillraceException.invalid(
                    "specs",
                    "has a run of the flow " + merged.get().name()
                            + ", which merges submissions: submit its runs one by one");
        }
        if (!submission.assumed().isEmpty()) {
            return Optional.of(new SubmitResult.Outdated());
        }
        return Optional.of(submit(submission, merged.get()));
    }

    private boolean isMerged(NewRun run) {
        return run.target() instanceof RunTarget.FlowRun(String hash)
                && debounce(hash).isPresent();
    }

    private Optional<Debounce> debounce(String flowHash) {
        return catalog.model(flowHash).definition().options().callers().debounce();
    }

    private SubmitResult submit(Submission submission, NewRun run) {
        if (run.delay().isPresent()) {
            throw MillraceException.invalid(
                    "spec.run_after", "cannot be given for a flow that merges submissions: it has a delay of its own");
        }
        String hash = ((RunTarget.FlowRun) run.target()).flowHash();
        Debounce debounce = debounce(hash).orElseThrow();
        Accumulation.findUnfit(debounce.accumulate(), run.input()).ifPresent(name -> {
            throw MillraceException.invalid(
                    "spec.input." + name, "is not an array, but the flow gathers its elements: send an array");
        });
        FlowModel model = catalog.model(hash).in(run.kept().env(), run.kept().stepInput());
        Supplier<RunKey> key = () -> RunKey.of(model, debounce, run.id(), run.input());
        if (debounce.key().isPlain()) {
            return switch (key.get()) {
                case RunKey.Known(String text) ->
                    merge(submission, debounced(submission, hash, run, debounce, digest(submission, run, text)));
                case RunKey.Unusable(JobError error) -> throw MillraceException.invalid("spec.input", error.message());
            };
        }
        StartOrder.Place place = order.enter(submission.workspace().name() + "/" + run.name());
        boolean isSettledLater = false;
        try {
            DebounceKeys.Answer answer =
                    keys.find(submission.workspace(), run.id().toString(), key);
            CompletableFuture<RunKey> late = switch (answer) {
                case DebounceKeys.Answer.Plain(RunKey.Unusable(JobError error)) ->
                    throw MillraceException.invalid("spec.input", error.message());
                case DebounceKeys.Answer.Plain(RunKey known) -> CompletableFuture.completedFuture(known);
                case DebounceKeys.Answer.InTime(String text) ->
                    CompletableFuture.completedFuture(new RunKey.Known(text));
                case DebounceKeys.Answer.Late(CompletableFuture<RunKey> unknown) -> unknown;
            };
            boolean isLate = answer instanceof DebounceKeys.Answer.Late;
            if (!isLate && place.isFirst() && late.join() instanceof RunKey.Known(String text)) {
                return merge(submission, debounced(submission, hash, run, debounce, digest(submission, run, text)));
            }
            // No key of a user is like this one: workspaces have names.
            DebouncedRun alone = debounced(submission, hash, run, debounce, digest("/" + run.id()));
            SubmitResult result = store.submit(alone.after(KEY_LEAD), submission.requestId());
            if (result instanceof SubmitResult.Accepted) {
                isSettledLater = true;
                Thread.startVirtualThread(() -> settle(submission, alone, late, place));
            }
            return result;
        } finally {
            if (!isSettledLater) {
                place.close();
            }
        }
    }

    /**
     * A run with a key. If the key is computed, all runs of the flow are in one bucket, so that a run whose key is known
     * late can wait where others with that key look for it.
     */
    private DebouncedRun debounced(Submission submission, String hash, NewRun run, Debounce debounce, byte[] key) {
        boolean isComputed = !debounce.key().isPlain();
        return new DebouncedRun(
                ids.nextRun(bucket(isComputed ? digest(submission, run, "") : key)),
                submission.workspace(),
                hex(key),
                isComputed,
                hash,
                run,
                debounce,
                debounce.delay());
    }

    private SubmitResult merge(Submission submission, DebouncedRun debounced) {
        SubmitResult result = store.submit(debounced, submission.requestId());
        pending.startLater();
        return result;
    }

    /**
     * Gives its key to a run that was accepted before. The run then waits with that key, or ends because another one waits
     * with it, which then has what this one was started with. If the key is unusable, the run fails.
     */
    private void settle(
            Submission submission, DebouncedRun alone, CompletableFuture<RunKey> key, StartOrder.Place place) {
        try (place) {
            RunKey known = key.join();
            place.awaitFirst();
            settle(submission, alone, known);
        }
    }

    private void settle(Submission submission, DebouncedRun alone, RunKey key) {
        try {
            switch (key) {
                case RunKey.Known(String text) -> {
                    store.settle(alone, hex(digest(submission, alone.run(), text)))
                            .ifPresent(other -> pending.cancel(alone.id(), merged(other)));
                    pending.startLater();
                }
                case RunKey.Unusable(JobError error) -> pending.fail(alone.id(), error);
            }
        } catch (MillraceException unavailable) {
            log.atWarn()
                    .addKeyValue("run", alone.id())
                    .setCause(unavailable)
                    .log("A run begins later than it should, since the end of its debounce key could not be noted");
        }
    }

    private static JobError merged(RunId other) {
        return JobError.permanent(
                "Merged",
                "The start of this run was merged into the run " + other
                        + ", whose debounce key is the same. The key of"
                        + " this one took so long that it was accepted before: look at the other run.");
    }

    private static Bucket bucket(byte[] digest) {
        return new Bucket((short) ((((digest[0] & 0xff) << Byte.SIZE) | (digest[1] & 0xff)) % Bucket.COUNT));
    }

    private static byte[] digest(Submission submission, NewRun run, String key) {
        return digest(submission.workspace().name() + "/" + run.name() + " " + key);
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    private static byte[] digest(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
