package dev.millrace.e2e.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.util.List;
import java.util.Map;

/** Calls each operation about people, programs, workspaces, secrets and the record of what they did. */
final class AccessCalls {
    private static final String ADA = "user:ada";

    private AccessCalls() {}

    static void callAll(Calls calls) {
        people(calls);
        programs(calls);
        workspaces(calls);
        secrets(calls);
        audit(calls);
    }

    private static void people(Calls calls) {
        assertThat(calls.ok("whoAmI").path("principal").path("kind").asText()).isEqualTo("local");
        calls.ok("createUser", "", Map.of("name", "ada"));
        assertThat(calls.ok("listUsers").path("items")).hasSize(1);
        calls.ok("updateUser", "ada", Map.of("disabled", false));
        calls.ok("grantOwner", "", Map.of("subject", ADA));
        calls.ok("grantOwner", "", Map.of("subject", "group:ops"));
        assertThat(calls.ok("listOwners").path("items")).hasSize(2);
        calls.ok("revokeOwner", "group:ops");
        calls.ok("grantRole", "", Map.of("subject", ADA, "role", "developer", "folder", "every"));
        assertThat(calls.ok("listRoles").path("items")).hasSize(1);
        calls.ok("revokeRole", "", null, "?subject=" + ADA + "&folder=every");
    }

    private static void programs(Calls calls) {
        String token = calls.ok("createToken", "", Map.of("user", "ada", "name", "laptop", "valid_for", "1h"))
                .path("token")
                .path("id")
                .asText();
        calls.ok("createServiceAccount", "", Map.of("name", "ci"));
        assertThat(calls.ok("listServiceAccounts").path("items")).hasSize(1);
        calls.ok("updateServiceAccount", "ci", Map.of("may_act_as", true));
        calls.ok("createServiceAccountToken", "ci", Map.of("name", "nightly"));
        calls.ok("createWorkerToken", "", Map.of("name", "gpu", "tags", List.of("gpu")));
        calls.ok("createSharedToken", "", Map.of("kind", "gateway", "name", "gateway-1"));
        assertThat(calls.ok("listTokens", "", null, "?all=true").path("items")).hasSize(4);
        calls.ok("revokeToken", token);
    }

    private static void workspaces(Calls calls) {
        calls.ok("createWorkspace", "", Map.of("name", "team-z", "description", "Trials"));
        assertThat(calls.ok("listWorkspaces").path("items").size()).isGreaterThan(1);
        calls.ok("getWorkspace");
        calls.ok("updateWorkspace", "", Map.of("description", "The first one"));
        calls.in("team-z").ok("renameWorkspace", "", Map.of("new_name", "team-y"));
        calls.in("team-y").ok("archiveWorkspace");
        calls.in("team-y").ok("restoreWorkspace");
        calls.in("team-y").ok("archiveWorkspace");
        calls.in("team-y").ok("deleteWorkspace");
        calls.ok("setQuotas", "", Map.of("queued_jobs_max", 1_000_000));
        assertThat(calls.ok("getQuotas").path("quotas").path("queued_jobs_max").asInt())
                .isEqualTo(1_000_000);
    }

    private static void secrets(Calls calls) {
        calls.ok("setSecret", "every/key", Map.of("value", "correct-horse-battery"));
        assertThat(calls.ok("listSecrets").path("items")).hasSize(1);
        calls.ok("putResourceType", "point", Map.of("schema", Map.of("type", "object")));
        assertThat(calls.ok("listResourceTypes").path("items")).hasSize(1);
        calls.ok("putResource", "every/point", Map.of("type", "point", "value", Map.of("x", 1)));
        assertThat(calls.ok("listResources").path("items")).hasSize(1);
        calls.ok("getResource", "every/point");
        assertThat(calls.call("deleteResourceType", "point", null, "").status()).isEqualTo(409);
        calls.ok("deleteResource", "every/point");
        calls.ok("deleteResourceType", "point");
        triggers(calls);
        eventHandlers(calls);
        calls.ok("deleteSecret", "every/key");
        calls.ok("rotateKeys", "", Map.of("data", true));
        assertThat(calls.ok("listKeys").path("items")).isNotEmpty();
    }

    private static void eventHandlers(Calls calls) {
        flow(calls, "every_target", "{id: a, value: 1}");
        flow(calls, "every_publisher", "{id: say, publish: {event: 'every:said', message: {n: 1}}}");
        Map<String, Object> start = Map.of(
                "action", "start_workflow", "expandInlineJSON", true, "start_workflow", Map.of("name", "every_target"));
        Map<String, Object> unknown = Map.of("workflowId", "nowhere", "taskRefName", "gate");
        List<Map<String, Object>> actions = List.of(
                start,
                Map.of("action", "complete_task", "complete_task", unknown),
                Map.of("action", "fail_task", "fail_task", unknown),
                Map.of("action", "terminate_workflow", "terminate_workflow", Map.of("workflowId", "nowhere")));
        Map<String, Object> handler = Map.of(
                "name",
                "every_handler",
                "event",
                "every:said",
                "condition",
                "$.n > 0",
                "evaluatorType",
                "javascript",
                "active",
                true,
                "actions",
                actions);
        calls.ok("putEventHandler", "every/handler", handler);
        calls.ok("getEventHandler", "every/handler");
        calls.ok("listEventHandlers");
        calls.ok("submitRun", "", Map.of("target", Map.of("flow", "every_publisher")));
        Await.until("the message is handled", Api.PATIENCE, () -> {
            JsonNode executions =
                    calls.ok("listEventExecutions", "every/handler").path("items");
            return executions.size() == 4 && !executions.toString().contains("in_progress");
        });
        calls.ok("deleteEventHandler", "every/handler");
        calls.ok("addConductorEventHandler", "", handler);
        calls.ok("updateConductorEventHandler", "", handler);
        calls.ok("listConductorEventHandlers");
        calls.ok("listConductorHandlersOfEvent", "every:said");
        calls.ok("removeConductorEventHandler", "every_handler");
    }

    private static void flow(Calls calls, String name, String step) {
        calls.ok(
                "deployFlow", "", Map.of("definition", "millrace: v1\nname: " + name + "\nsteps:\n  - " + step + "\n"));
    }

    private static void triggers(Calls calls) {
        Map<String, Object> run = Map.of("target", Map.of("script", "every/echo.py"));
        Map<String, Object> hook = Map.of("scheme", "token", "secrets", List.of("every/key"));
        calls.ok("putTrigger", "every/hook", Map.of("run", run, "webhook", hook));
        calls.ok("getTrigger", "every/hook");
        assertThat(calls.ok("listTriggers").path("items")).hasSize(1);
        calls.ok("testWebhook", "every/hook", Map.of("value", 7));
        calls.ok("pauseTrigger", "every/hook", Map.of("paused", true));
        calls.ok("listTriggerEvents", "every/hook");
        calls.ok("deleteTrigger", "every/hook");
    }

    private static void audit(Calls calls) {
        assertThat(calls.ok("listAuditEvents", "", null, "?action=SetSecret").path("items"))
                .isNotEmpty();
        assertThat(calls.call("exportAuditEvents", "", null, "?all=true").status())
                .isEqualTo(200);
    }
}
