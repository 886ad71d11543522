package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.tag.LimitLine.Kind;
import java.util.ArrayList;
import java.util.List;

/** The lines of limits, page by page: those of jobs, then those of runs, then debounced runs. Blocking and thread-safe. */
final class LimitLines {
    private static final String JOBS = "jobs ";
    private static final String RUNS = "runs ";

    private final LimitLineStore store;

    LimitLines(Database database) {
        this.store = new LimitLineStore(database);
    }

    /** Lines of a workspace. A page may have fewer lines than it might although there is a next page. */
    PageRequest.Page<LimitLine> list(Workspace workspace, PageRequest page) {
        List<LimitLine> lines = new ArrayList<>();
        Kind kind = page.after().startsWith(RUNS) ? Kind.RUNS : Kind.JOBS;
        if (!page.after().isEmpty() && !page.after().startsWith(JOBS) && kind == Kind.JOBS) {
            throw PageRequest.badToken();
        }
        String after = page.after().isEmpty() ? "" : page.after().substring(JOBS.length());
        if (kind == Kind.JOBS) {
            LimitLineStore.Walk walk = store.jobs(workspace, after, page.size());
            lines.addAll(walk.lines());
            if (walk.last().isPresent()) {
                return new PageRequest.Page<>(
                        lines, PageRequest.token(JOBS + walk.last().get()));
            }
            after = "";
        }
        LimitLineStore.Walk walk = store.runs(workspace, after, page.size());
        lines.addAll(walk.lines());
        if (walk.last().isPresent()) {
            return new PageRequest.Page<>(
                    lines, PageRequest.token(RUNS + walk.last().get()));
        }
        lines.addAll(store.debounced(workspace));
        return new PageRequest.Page<>(lines, "");
    }
}
