package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the steps of a run in pages: finished steps ordered by their end, then containers in progress, then live jobs.
 * The last finished steps are read after the live jobs, so a step that ends meanwhile is not missed.
 */
final class StepPages {
    /** Maximum number of bytes of payloads in one page. */
    private static final long PAGE_BYTES_MAX = 4 << 20;

    private final StepStore store;

    StepPages(StepStore store) {
        this.store = store;
    }

    PageRequest.Page<Step> read(RunId run, StepFolding folding, PageRequest request, boolean payloads) {
        StepCursor cursor = StepCursor.parse(request.after());
        Page page = new Page(request.size());
        boolean more = switch (cursor) {
            case StepCursor.Finished finished -> addAll(run, folding, finished, payloads, page);
            case StepCursor.Container container -> addContainers(run, folding, container, payloads, page);
            case StepCursor.Live live -> addLive(run, folding, live, payloads, page);
        };
        return new PageRequest.Page<>(page.steps, more ? PageRequest.token(page.last.text()) : "");
    }

    private boolean addAll(RunId run, StepFolding folding, StepCursor.Finished after, boolean payloads, Page page) {
        if (addFinished(run, folding, after.position(), payloads, page)) {
            return true;
        }
        List<Step> containers = store.openContainers(run, folding, "", page.room());
        BudgetedRows.Slice live = live(run, folding, Optional.empty(), payloads, page);
        HistoryPosition last =
                page.last instanceof StepCursor.Finished finished ? finished.position() : after.position();
        if (addFinished(run, folding, last, payloads, page)) {
            return true;
        }
        return page.addContainers(containers) || page.addLive(live);
    }

    private boolean addContainers(
            RunId run, StepFolding folding, StepCursor.Container after, boolean payloads, Page page) {
        return page.addContainers(store.openContainers(run, folding, after.key(), page.room()))
                || addLive(run, folding, new StepCursor.Live(Optional.empty()), payloads, page);
    }

    private boolean addLive(RunId run, StepFolding folding, StepCursor.Live after, boolean payloads, Page page) {
        return page.addLive(live(run, folding, after.id(), payloads, page));
    }

    private BudgetedRows.Slice live(
            RunId run, StepFolding folding, Optional<JobId> after, boolean payloads, Page page) {
        return payloads
                ? store.live(run, folding, after, page.room(), page.bytesLeft())
                : new BudgetedRows.Slice(store.live(run, folding, after, page.room()), false);
    }

    private boolean addFinished(RunId run, StepFolding folding, HistoryPosition after, boolean payloads, Page page) {
        BudgetedRows.Slice slice = payloads
                ? store.finished(run, folding, after, page.room(), page.bytesLeft())
                : new BudgetedRows.Slice(store.finished(run, folding, after, page.room()), false);
        return page.addFinished(slice, continued(run, slice.steps()));
    }

    /** Gives the ends of containers the ids and starts of their openings. */
    private List<Step> continued(RunId run, List<Step> steps) {
        List<String> containers =
                steps.stream().filter(Step::isContainer).map(Step::key).toList();
        if (containers.isEmpty()) {
            return steps;
        }
        Map<String, Step> openings = store.openings(run, containers).stream()
                .collect(Collectors.toMap(Step::key, Function.identity(), (first, _) -> first));
        return steps.stream()
                .map(step -> openings.containsKey(step.key()) ? step.continuing(openings.get(step.key())) : step)
                .toList();
    }

    /** A page that is being filled. Each method returns true once nothing more fits. */
    private static final class Page {
        private final int size;
        private final List<Step> steps = new ArrayList<>();
        private final Set<JobId> ended = new HashSet<>();
        private long bytes;
        private StepCursor last = StepCursor.BEGINNING;

        Page(int size) {
            this.size = size;
        }

        /** Rows to read: one more than fits, which shows whether there are more. */
        int room() {
            return size - steps.size() + 1;
        }

        long bytesLeft() {
            return PAGE_BYTES_MAX - bytes;
        }

        boolean addFinished(BudgetedRows.Slice stored, List<Step> shown) {
            for (int index = 0; index < shown.size(); index++) {
                if (!add(
                        shown.get(index),
                        new StepCursor.Finished(
                                HistoryPosition.of(stored.steps().get(index))))) {
                    return true;
                }
                ended.add(stored.steps().get(index).id());
            }
            return stored.isCut();
        }

        boolean addContainers(List<Step> containers) {
            for (Step container : containers) {
                if (!ended.contains(container.id()) && !add(container, new StepCursor.Container(container.key()))) {
                    return true;
                }
            }
            return false;
        }

        boolean addLive(BudgetedRows.Slice live) {
            for (Step step : live.steps()) {
                StepCursor cursor = new StepCursor.Live(Optional.of(step.id()));
                if (!step.isRootOfFlow() && !ended.contains(step.id()) && !add(step, cursor)) {
                    return true;
                }
            }
            return live.isCut();
        }

        private boolean add(Step step, StepCursor cursor) {
            if (steps.size() == size) {
                return false;
            }
            steps.add(step);
            bytes += step.payloads().sizeBytes();
            last = cursor;
            return true;
        }
    }
}
