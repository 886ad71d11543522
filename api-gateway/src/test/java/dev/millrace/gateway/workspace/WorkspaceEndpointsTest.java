package dev.millrace.gateway.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.quota.v1.GetQuotasResponse;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaUse;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.quota.v1.SetQuotasResponse;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceRequest;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceResponse;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceResponse;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceRequest;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceResponse;
import dev.millrace.proto.workspace.v1.GetWorkspaceRequest;
import dev.millrace.proto.workspace.v1.GetWorkspaceResponse;
import dev.millrace.proto.workspace.v1.ListWorkspacesResponse;
import dev.millrace.proto.workspace.v1.RenameWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RenameWorkspaceResponse;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceResponse;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceResponse;
import dev.millrace.proto.workspace.v1.Workspace;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import org.junit.jupiter.api.Test;

class WorkspaceEndpointsTest extends GatewayTest {

    private static final String WORKSPACES = "/api/v1/workspaces";
    private static final Workspace TEAM = Workspace.newBuilder()
            .setName("team-a")
            .setState(Workspace.State.STATE_ARCHIVED)
            .addFormerNames("team")
            .setArchiveTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
            .build();

    @Test
    void createsAndShowsWorkspaces() {
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getCreateWorkspaceMethod(),
                CreateWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getListWorkspacesMethod(),
                ListWorkspacesResponse.newBuilder().addWorkspaces(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getGetWorkspaceMethod(),
                GetWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());

        var created = post(WORKSPACES, "{\"name\": \"team-a\", \"isolated\": true}");
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("location")).hasValue(WORKSPACES + "/team-a");
        assertThat(json(get(WORKSPACES)).path("items").path(0).path("state").asText())
                .isEqualTo("archived");
        var shown = json(get(WORKSPACES + "/team-a"));
        assertThat(shown.path("former_names").path(0).asText()).isEqualTo("team");
        assertThat(shown.path("archive_time").asText()).isEqualTo("2027-01-15T08:00:00Z");

        assertThat(scheduler.requests)
                .contains(
                        CreateWorkspaceRequest.newBuilder()
                                .setName("team-a")
                                .setIsolated(true)
                                .build(),
                        GetWorkspaceRequest.newBuilder().setWorkspace("team-a").build());
    }

    @Test
    void changesWorkspaces() {
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getUpdateWorkspaceMethod(),
                UpdateWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getRenameWorkspaceMethod(),
                RenameWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getArchiveWorkspaceMethod(),
                ArchiveWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getRestoreWorkspaceMethod(),
                RestoreWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        scheduler.canned.answer(
                WorkspaceServiceGrpc.getDeleteWorkspaceMethod(),
                DeleteWorkspaceResponse.newBuilder().setWorkspace(TEAM).build());
        var team = WORKSPACES + "/team-a";

        assertThat(patch(team, "{\"description\": \"\"}").statusCode()).isEqualTo(200);
        assertThat(post(team + ":rename", "{\"new_name\": \"team-b\"}").statusCode())
                .isEqualTo(200);
        assertThat(post(team + ":archive", "").statusCode()).isEqualTo(200);
        assertThat(post(team + ":restore", "").statusCode()).isEqualTo(200);
        assertThat(delete(team + "?force=true").statusCode()).isEqualTo(202);

        assertThat(scheduler.requests)
                .containsExactly(
                        UpdateWorkspaceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setDescription("")
                                .build(),
                        RenameWorkspaceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setNewName("team-b")
                                .build(),
                        ArchiveWorkspaceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .build(),
                        RestoreWorkspaceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .build(),
                        DeleteWorkspaceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setForce(true)
                                .build());
    }

    @Test
    void findsNoWorkspaceThatTheCallerMayNotSee() {
        scheduler.canned.refuse(WorkspaceServiceGrpc.getGetWorkspaceMethod(), Refusals.notFound("workspace", "team-z"));

        problem(get(WORKSPACES + "/team-z"), 404, "workspace_not_found");
    }

    @Test
    void showsAndReplacesQuotas() {
        long large = 1L << 40;
        scheduler.canned.answer(
                QuotaServiceGrpc.getGetQuotasMethod(),
                GetQuotasResponse.newBuilder()
                        .setQuotas(Quotas.newBuilder().setLogBytesPerSecondMax(large))
                        .setUse(QuotaUse.newBuilder().setSubmitsPerSecond(1.5).setRefusedCalls(7))
                        .build());
        scheduler.canned.answer(
                QuotaServiceGrpc.getSetQuotasMethod(),
                SetQuotasResponse.newBuilder()
                        .setQuotas(Quotas.newBuilder().setQueuedJobsMax(10))
                        .build());
        var quotas = WORKSPACES + "/team-a/quotas";

        var shown = json(get(quotas));
        assertThat(shown.path("quotas").path("log_bytes_per_second_max").asLong())
                .isEqualTo(large);
        assertThat(shown.path("use").path("submits_per_second").asDouble()).isEqualTo(1.5);
        assertThat(json(put(quotas, "{\"log_bytes_per_second_max\": " + large + "}"))
                        .path("queued_jobs_max")
                        .asLong())
                .isEqualTo(10);

        assertThat(scheduler.requests)
                .contains(SetQuotasRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setQuotas(Quotas.newBuilder().setLogBytesPerSecondMax(large))
                        .build());
        problem(put(quotas, "{\"queued_jobs_max\": 99999999999999999999}"), 400, "invalid_argument");
    }

    @Test
    void tellsThatAQuotaIsUsedUp() {
        scheduler.runs.refusal = Refusals.of(
                Code.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", "The workspace has used up its quota of submitted runs.");

        problem(post("/api/v1/runs", "{\"target\":{\"script\":\"a.py\"}}"), 429, "quota_exceeded");
    }
}
