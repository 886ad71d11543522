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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Merges close submissions of a flow into one run if the flow's definition asks for it. Blocking and thread-safe. */
public final class Debounces {
    private final DebounceStore store;
    private final FlowCatalog catalog;
    private final IdSource ids;
    private final Runnable announce;

    /**
     * @param inputBytesMax largest input of a run, in bytes
     * @param announce called after a run was inserted that is to be started later
     */
    public Debounces(Database database, FlowCatalog catalog, IdSource ids, int inputBytesMax, Runnable announce) {
        this.store = new DebounceStore(database, inputBytesMax);
        this.catalog = catalog;
        this.ids = ids;
        this.announce = announce;
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
        byte[] key = digest(submission.workspace().name() + "/" + run.name() + " "
                + key(catalog.model(hash).in(run.kept().env(), run.kept().stepInput()), debounce, run));
        Bucket bucket = new Bucket((short) ((((key[0] & 0xff) << Byte.SIZE) | (key[1] & 0xff)) % Bucket.COUNT));
        SubmitResult result = store.submit(
                new DebouncedRun(
                        ids.nextRun(bucket),
                        submission.workspace(),
                        HexFormat.of().formatHex(key),
                        hash,
                        run,
                        debounce),
                submission.requestId());
        announce.run();
        return result;
    }

    private static String key(FlowModel model, Debounce debounce, NewRun run) {
        return switch (RunKey.of(model, debounce, run.id(), run.input())) {
            case RunKey.Known(String text) -> text;
            case RunKey.Unusable unusable ->
                throw MillraceException.invalid("spec.input", unusable.error().message());
        };
    }

    private static byte[] digest(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
