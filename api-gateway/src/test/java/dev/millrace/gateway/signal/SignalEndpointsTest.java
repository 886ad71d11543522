package dev.millrace.gateway.signal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.gateway.testing.FakeSignals;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.ListPendingWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import org.junit.jupiter.api.Test;

class SignalEndpointsTest extends GatewayTest {

    private static final String RUN = "/api/v1/runs/r1";

    @Test
    void listsWaits() {
        var page = json(get(RUN + "/waits?page_size=2&page_token=t"));

        var wait = page.path("items").path(0);
        assertThat(wait.path("step").asText()).isEqualTo("ship");
        assertThat(wait.path("kind").asText()).isEqualTo("approval");
        assertThat(wait.path("required").asInt()).isEqualTo(2);
        assertThat(wait.path("approvers").path(0).asText()).isEqualTo("ann");
        assertThat(wait.path("details").path("title").asText()).isEqualTo("Ship it?");
        assertThat(wait.has("end_time")).isFalse();
        assertThat(page.path("next_page_token").asText()).isEqualTo("next");
        assertThat(scheduler.signals.requests)
                .containsExactly(ListWaitsRequest.newBuilder()
                        .setRunId("r1")
                        .setPageSize(2)
                        .setPageToken("t")
                        .build());
    }

    @Test
    void listsWhatWaitsForPeopleInAllRuns() {
        var item = json(get("/api/v1/workspaces/team/pending-waits?page_size=2"))
                .path("items")
                .path(0);

        assertThat(item.path("run_name").asText()).isEqualTo("shop/ship");
        assertThat(item.path("step").asText()).isEqualTo("ship");
        assertThat(scheduler.signals.requests)
                .containsExactly(ListPendingWaitsRequest.newBuilder()
                        .setPageSize(2)
                        .setWorkspace("team")
                        .build());
    }

    @Test
    void passesPayloadsOnAsTheyStand() {
        for (var payload : new String[] {"{\"n\": 1.0}", "[1, 2]", "\"text\"", "1e400", "true"}) {
            post(RUN + ":signal", "{\"payload\": " + payload + " , \"name\": \"go\"}", "idempotency-key", "k1");
            post(RUN + ":signal", "{\"name\":\"go\",\"payload\":" + payload + "}", "idempotency-key", "k1");

            assertThat(scheduler.signals.requests)
                    .as(payload)
                    .hasSize(2)
                    .containsOnly(SendSignalRequest.newBuilder()
                            .setRunId("r1")
                            .setName("go")
                            .setPayload(ByteString.copyFromUtf8(payload))
                            .setRequestId("k1")
                            .build());
            scheduler.signals.requests.clear();
        }
    }

    @Test
    void answersForPeople() {
        var approved = json(post(RUN + ":approve", "{\"step\":\"ship\",\"actor\":\"ann\",\"payload\":7}"));
        post(RUN + ":deny", "{}");
        post(RUN + ":complete", "");

        assertThat(approved.path("step").asText()).isEqualTo("ship");
        assertThat(scheduler.signals.requests)
                .containsExactly(
                        AnswerWaitRequest.newBuilder()
                                .setRunId("r1")
                                .setStep("ship")
                                .setAnswer(Answer.ANSWER_APPROVE)
                                .setActor("ann")
                                .setPayload(ByteString.copyFromUtf8("7"))
                                .build(),
                        AnswerWaitRequest.newBuilder()
                                .setRunId("r1")
                                .setAnswer(Answer.ANSWER_DENY)
                                .build(),
                        AnswerWaitRequest.newBuilder()
                                .setRunId("r1")
                                .setAnswer(Answer.ANSWER_COMPLETE)
                                .build());
        problem(post(RUN + ":approve", "{\"actor\":\"eve\"}"), 403, "not_assigned");
    }

    @Test
    void makesLinks() {
        var made = json(
                post(RUN + "/wait-links", "{\"step\":\"ship\",\"actors\":[\"ann\",\"bob\"],\"valid_for\":\"168h\"}"));

        assertThat(made.path("items").findValuesAsText("actor")).containsExactly("ann", "bob");
        var link = made.path("items").path(0);
        assertThat(link.path("accept_path").asText()).isEqualTo(RUN + "/wait-links/" + FakeSignals.TOKEN);
        assertThat(link.path("expire_time").asText()).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(scheduler.signals.requests)
                .containsExactly(CreateWaitLinksRequest.newBuilder()
                        .setRunId("r1")
                        .setStep("ship")
                        .addActors("ann")
                        .addActors("bob")
                        .setValidFor(Duration.newBuilder().setSeconds(7 * 86_400))
                        .build());
    }

    @Test
    void revokesLinks() {
        var revoked = json(post(RUN + "/wait-links:revoke", "{\"step\":\"ship\",\"actors\":[\"ann\"]}"));

        assertThat(revoked.path("revoke_time").asText()).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(scheduler.signals.requests)
                .containsExactly(RevokeWaitLinksRequest.newBuilder()
                        .setRunId("r1")
                        .setStep("ship")
                        .addActors("ann")
                        .build());
    }

    @Test
    void looksAtALinkByGetAndUsesItByPost() {
        var looked = json(get(RUN + "/wait-links/" + FakeSignals.TOKEN));
        assertThat(looked.path("answer").asText()).isEqualTo("complete");
        assertThat(looked.path("actor").asText()).isEqualTo("ann");
        assertThat(looked.path("wait").path("step").asText()).isEqualTo("ship");
        problem(get(RUN + "/wait-links/forged"), 403, "wait_link_invalid");
        var opened = send(request(RUN + "/wait-links/" + FakeSignals.TOKEN).header("accept", "text/html,*/*;q=0.8"));
        assertThat(opened.statusCode()).isEqualTo(303);
        assertThat(opened.headers().firstValue("location"))
                .hasValue("../../../../../approvals/r1/" + FakeSignals.TOKEN);
        scheduler.signals.requests.clear();

        var used = json(post(RUN + "/wait-links/" + FakeSignals.TOKEN, "{\"payload\":{\"ok\":true}}"));

        assertThat(used.path("step").asText()).isEqualTo("ship");
        assertThat(used.path("kept").asBoolean()).isTrue();
        assertThat(scheduler.signals.requests)
                .containsExactly(UseWaitLinkRequest.newBuilder()
                        .setRunId("r1")
                        .setToken(FakeSignals.TOKEN)
                        .setPayload(ByteString.copyFromUtf8("{\"ok\":true}"))
                        .build());
        problem(post(RUN + "/wait-links/" + FakeSignals.TOKEN, "{\"actor\":\"eve\"}"), 400, "unknown_field");
    }

    @Test
    void keepsTokensOutOfTheMetrics() {
        get(RUN + "/wait-links/" + FakeSignals.TOKEN);

        assertThat(get("/metrics").body())
                .contains("route=\"/api/v1/runs/{id}/wait-links/{token}\"")
                .doesNotContain(FakeSignals.TOKEN);
    }
}
