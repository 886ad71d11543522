package dev.millrace.scheduler.workspace.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownWorkspacesTest {
    private static final Workspace PLAIN = Workspace.of("plain");
    private static final Workspace OWN = Workspace.of("own");
    private static final Workspace ISOLATED = Workspace.of("isolated");

    private final KnownWorkspaces known = new KnownWorkspaces(List.of(
            workspace(PLAIN, "plain", List.of(), false, false),
            workspace(OWN, "renamed", List.of("own"), false, true),
            workspace(ISOLATED, "isolated", List.of(), true, true)));

    @Test
    void jobsOfWorkspacesWithOwnTagsWaitUnderTheirKey() {
        assertThat(known.route(PLAIN, "python")).isEqualTo("python");
        assertThat(known.route(OWN, "python")).isEqualTo("~own/python");
        assertThat(known.route(ISOLATED, "python")).isEqualTo("~isolated/python");
        assertThat(known.route(Workspace.of("unknown"), "python")).isEqualTo("python");
    }

    @Test
    void aRouteStaysAsItIs() {
        assertThat(known.route(OWN, "~own/python")).isEqualTo("~own/python");
    }

    @Test
    void theRouteOfAnotherWorkspaceLeadsNowhere() {
        assertThat(known.route(OWN, "~isolated/python")).isEqualTo("~own/~isolated/python");
    }

    @Test
    void workersOfAllWorkspacesServeThoseThatAreNotIsolated() {
        assertThat(known.tagsFor(List.of("python", "gpu"), Optional.empty()))
                .containsExactlyInAnyOrder("python", "gpu", "~own/python", "~own/gpu");
        assertThat(known.mayServe(PLAIN, Optional.empty())).isTrue();
        assertThat(known.mayServe(OWN, Optional.empty())).isTrue();
        assertThat(known.mayServe(ISOLATED, Optional.empty())).isFalse();
    }

    @Test
    void workersOfSomeWorkspacesServeTheseOnly() {
        Optional<Set<Workspace>> some = Optional.of(Set.of(ISOLATED));

        assertThat(known.tagsFor(List.of("python"), some)).containsExactly("~isolated/python");
        assertThat(known.mayServe(ISOLATED, some)).isTrue();
        assertThat(known.mayServe(PLAIN, some)).isFalse();
        assertThat(known.mayServe(OWN, some)).isFalse();
    }

    @Test
    void aWorkspaceIsFoundByAllItsNames() {
        assertThat(known.named("renamed")).map(KnownWorkspace::key).contains(OWN);
        assertThat(known.named("own")).map(KnownWorkspace::key).contains(OWN);
        assertThat(known.nameOf("own")).isEqualTo("renamed");
        assertThat(known.nameOf("unknown")).isEqualTo("unknown");
        assertThat(known.translates()).isTrue();
    }

    @Test
    void aNewWorkspaceHasPrecedenceOverTheKeyOfAnother() {
        Workspace second = Workspace.numbered("own", 2);
        KnownWorkspaces both = new KnownWorkspaces(List.of(
                workspace(second, "own", List.of(), false, false), workspace(PLAIN, "plain", List.of(), false, false)));

        assertThat(both.named("own")).map(KnownWorkspace::key).contains(second);
        assertThat(both.nameOf("own.2")).isEqualTo("own");
    }

    private static KnownWorkspace workspace(
            Workspace key, String name, List<String> former, boolean isIsolated, boolean hasOwnTags) {
        return new KnownWorkspace(
                key,
                name,
                former,
                "",
                isIsolated,
                hasOwnTags,
                WorkspaceState.ACTIVE,
                "",
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty());
    }
}
