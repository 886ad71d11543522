package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.IdTimes;
import dev.millrace.scheduler.run.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds runs of a workspace. Blocking and thread-safe. */
public final class RunSearches {
    /** Time for a selection that examines runs, within the time that callers give a call. */
    private static final Duration SELECTION_TIME_MAX = Duration.ofSeconds(20);

    private static final int EXAMINED_AT_ONCE_MAX = 1_000;

    /** Steps of a run that are looked at for its start: before a step has ended, there are seldom more. */
    private static final int STEPS_OF_START_MAX = 20;

    private final RunListStore lists;
    private final RunCountStore counts;
    private final RunSelectionStore selection;
    private final PayloadSearchStore payloads;
    private final LiveStartStore live;
    private final RunStarterStore starters;
    private final StartedJobs started;

    public RunSearches(Database database, StartedJobs started) {
        this.lists = new RunListStore(database);
        this.counts = new RunCountStore(database);
        this.selection = new RunSelectionStore(database);
        this.payloads = new PayloadSearchStore(database);
        this.live = new LiveStartStore(database);
        this.starters = new RunStarterStore(database);
        this.started = started;
    }

    /** One page. A search by payloads, tag or starter examines a limited number of runs for it. */
    public RunPage list(Workspace workspace, RunSearch search, PageRequest page) {
        Optional<RunId> before = page.after().isEmpty() ? Optional.empty() : Optional.of(lastRun(page.after()));
        if (search.examinesRuns()) {
            return examine(workspace, search, before, page.size());
        }
        var found = page.of(
                limit -> lists.list(workspace, search, before, limit),
                run -> run.id().toString());
        return new RunPage(complete(found.items()), found.nextToken(), Optional.empty());
    }

    /** The number of runs that match; empty for a search that examines runs, and if counting takes too long. */
    public Optional<RunCount> count(Workspace workspace, RunSearch search) {
        return search.examinesRuns() ? Optional.empty() : counts.count(workspace, search);
    }

    private RunPage examine(Workspace workspace, RunSearch search, Optional<RunId> before, int size) {
        var looked = payloads.look(workspace, search, before, size);
        List<Run> found = complete(lists.listThese(workspace, search, looked.found()));
        return new RunPage(
                found,
                looked.stoppedAt().map(run -> PageRequest.token(run.toString())).orElse(""),
                looked.stoppedAt().map(run -> IdTimes.madeAt(run.value())));
    }

    /**
     * Those of the given runs that exist and that the caller may see, newest first, without payloads.
     *
     * @param folders folders of which the caller may see the runs; absent for all
     */
    public List<Run> these(Workspace workspace, Optional<Set<String>> folders, List<RunId> runs) {
        return runs.isEmpty() ? List.of() : complete(lists.listThese(workspace, RunSearch.all(folders), runs));
    }

    private List<Run> complete(List<Run> runs) {
        return starters.withStarters(withStarts(runs));
    }

    /** Adds the starts of runs that no row tells: the first start of the steps that are under way, as far as it is known. */
    private List<Run> withStarts(List<Run> runs) {
        List<Run> known = runs.stream().map(run -> run.startedAsIn(started)).toList();
        List<RunId> unknown =
                known.stream().filter(Run::isOfUnknownStart).map(Run::id).toList();
        if (unknown.isEmpty()) {
            return known;
        }
        Map<RunId, Instant> starts = new HashMap<>();
        for (var step : live.underWay(unknown, STEPS_OF_START_MAX)) {
            step.began()
                    .or(() -> started.startOf(step.job()))
                    .ifPresent(start ->
                            starts.merge(step.run(), start, (one, other) -> one.isBefore(other) ? one : other));
        }
        return known.stream()
                .map(run -> run.isOfUnknownStart() ? run.withStart(Optional.ofNullable(starts.get(run.id()))) : run)
                .toList();
    }

    /**
     * At most {@code limit} runs that match the filter.
     *
     * @throws MillraceException if a search that examines runs takes more than {@link #SELECTION_TIME_MAX}
     */
    public List<RunId> select(Workspace workspace, RunFilter filter, int limit) {
        return filter.search().examinesRuns()
                ? examineAll(workspace, filter, limit)
                : selection.find(workspace, filter, limit);
    }

    private List<RunId> examineAll(Workspace workspace, RunFilter filter, int limit) {
        List<RunId> found = new ArrayList<>();
        Optional<RunId> before = Optional.empty();
        long start = System.nanoTime();
        do {
            var looked = payloads.look(workspace, filter.search(), before, EXAMINED_AT_ONCE_MAX);
            if (!looked.found().isEmpty()) {
                lists.listThese(workspace, filter.search(), looked.found()).stream()
                        .filter(run -> !filter.isOfFlows() || run.kind() == JobKind.FLOW)
                        .map(Run::id)
                        .forEach(found::add);
            }
            before = looked.stoppedAt();
            if (before.isPresent() && System.nanoTime() - start > SELECTION_TIME_MAX.toNanos()) {
                throw MillraceException.invalid(
                        "filter",
                        "takes more than " + SELECTION_TIME_MAX.toSeconds()
                                + " s to search by input, output, tag or starter, and has come back to the runs of "
                                + IdTimes.madeAt(before.orElseThrow().value())
                                + ": narrow it, for example by time");
            }
        } while (before.isPresent() && found.size() < limit);
        return found.stream().limit(limit).toList();
    }

    private static RunId lastRun(String after) {
        try {
            return RunId.parse(after);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
