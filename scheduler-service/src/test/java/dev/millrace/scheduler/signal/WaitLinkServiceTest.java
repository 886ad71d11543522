package dev.millrace.scheduler.signal;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.GetWaitLinkRequest;
import dev.millrace.proto.signal.v1.GetWaitLinkResponse;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkResponse;
import dev.millrace.proto.signal.v1.WaitLink;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitLinkServiceTest extends WaitingRuns {
    @Test
    void answersInTheNameOfThePersonOnceEach() {
        String run = submit("{approval: ship, required: 2}");
        List<WaitLink> links = links(run, "w", "ann", "bob");

        use(run, links.get(0).getAcceptToken(), "1");
        use(run, links.get(0).getAcceptToken(), "1");
        use(run, links(run, "w", "ann").getFirst().getAcceptToken(), "1");
        int received = waits(run).getFirst().getReceived();
        use(run, links.get(1).getAcceptToken(), "2");

        assertThat(received).isEqualTo(1);
        assertThat(output(run)).contains("\"payloads\":[1,2],\"approvers\":[\"ann\",\"bob\"]");
        assertThat(use(run, links.get(1).getAcceptToken(), "2").getKept()).isFalse();
        assertThat(reason(failure(() -> use(run, links.get(1).getDenyToken(), "2"))))
                .isEqualTo("RUN_ENDED");
    }

    @Test
    void showsWhatALinkIsForWithoutUsingIt() {
        String run = submit("{human: price}");
        WaitLink link = links(run, "w", "ann").getFirst();

        GetWaitLinkResponse resume = look(run, link.getAcceptToken());
        GetWaitLinkResponse deny = look(run, link.getDenyToken());

        assertThat(resume.getAnswer()).isEqualTo(Answer.ANSWER_COMPLETE);
        assertThat(resume.getActor()).isEqualTo("ann");
        assertThat(resume.getExpireTime()).isEqualTo(link.getExpireTime());
        assertThat(resume.getWait().getStep()).isEqualTo("w");
        assertThat(deny.getAnswer()).isEqualTo(Answer.ANSWER_DENY);
        assertThat(waits(run).getFirst().getReceived()).isZero();
    }

    @Test
    void deniesByALink() {
        String run = submit("{approval: ship}");

        use(run, links(run, "w", "ann").getFirst().getDenyToken(), "null");

        assertThat(run(run).getError().getMessage()).endsWith("It was denied by ann.");
    }

    @Test
    void keepsAnAnswerUntilTheStepWaits() {
        String run = submitSteps("""
                - {id: first, wait: {signal: begin}}
                - {id: w, needs: [first], wait: {approval: ship}}
                """);
        String token = links(run, "w", "ann").getFirst().getAcceptToken();

        UseWaitLinkResponse used = use(run, token, "1");
        UseWaitLinkResponse again = use(run, token, "1");
        send(run, "begin", "1");

        assertThat(List.of(used, again)).allMatch(UseWaitLinkResponse::getKept);
        assertThat(run(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(output(run)).contains("\"approvers\":[\"ann\"]");
    }

    @Test
    void countsAnEarlyAnswerToAFormOnlyIfItIsSentAgain() {
        String run = submitSteps("""
                - {id: first, wait: {signal: begin}}
                - {id: w, needs: [first], wait: {approval: ship, details: {form: {type: number}}}}
                """);
        String token = links(run, "w", "ann").getFirst().getAcceptToken();
        use(run, token, "\"unchecked\"");
        send(run, "begin", "1");

        assertThat(waits(run).getFirst().getReceived()).isZero();
        assertThat(violatedFields(failure(() -> use(run, token, "\"text\"")))).containsExactly("payload");
        use(run, token, "1");
        assertThat(output(run)).contains("\"payload\":1,");
    }

    @Test
    void acceptsOnlyTheAssignees() {
        String run = submitSteps("""
                - {id: first, wait: {signal: begin}}
                - {id: w, needs: [first], wait: {approval: ship, details: {assignees: [ann]}}}
                """);
        String early = links(run, "w", "eve").getFirst().getAcceptToken();
        use(run, early, "1");
        send(run, "begin", "1");

        assertThat(waits(run).getFirst().getReceived()).isZero();
        assertThat(reason(failure(() -> use(run, early, "1")))).isEqualTo("NOT_ASSIGNED");
        assertThat(reason(failure(() -> links(run, "w", "ann", "eve")))).isEqualTo("NOT_ASSIGNED");
    }

    @Test
    void rejectsLinksThatAreChangedOrOfAnotherRunOrExpired() {
        String run = submit("{approval: ship}");
        String other = submit("{approval: ship}");
        WaitLink link = links(run, "w", "ann").getFirst();
        String token = link.getAcceptToken();
        String swapped = link.getDenyToken().replaceFirst("\\..*", token.substring(token.indexOf('.')));

        for (String bad : List.of(swapped, token + "AAAA", token.substring(1), "", ".", "a.b")) {
            assertThat(reason(failure(() -> use(run, bad, "1")))).as(bad).isEqualTo("WAIT_LINK_INVALID");
        }
        assertThat(reason(failure(() -> use(other, token, "1")))).isEqualTo("WAIT_LINK_INVALID");
        assertThat(waits(run).getFirst().getReceived()).isZero();
    }

    @Test
    void createsLinksOnlyIfTheyCanBeUsed() {
        String signal = submit("{signal: go}");
        String ended = submit("{signal: go}");
        send(ended, "go", "1");
        String next = submitSteps("""
                - {id: w, wait: {approval: ship}}
                - {id: x, needs: [w], wait: {signal: go}}
                """);
        answer(next, "w", Answer.ANSWER_APPROVE, "", "1");

        assertThat(reason(failure(() -> links(signal, "w", "ann")))).isEqualTo("NOT_WAITING");
        assertThat(reason(failure(() -> links(ended, "w", "ann")))).isEqualTo("RUN_ENDED");
        assertThat(failure(() -> links(next, "w", "ann"))).hasMessageContaining("is no longer waiting");
        assertThat(violatedFields(failure(() -> links(signal, "w")))).containsExactly("actors");
        assertThat(violatedFields(failure(() -> links(signal, "w", "ann", "ann"))))
                .containsExactly("actors");
        assertThat(violatedFields(failure(() -> links(signal, "w", "a\nb")))).containsExactly("actors");
        assertThat(violatedFields(failure(() -> signals()
                        .createWaitLinks(request(signal, "w", "ann").toBuilder()
                                .setValidFor(Duration.newBuilder().setSeconds(400L * 86_400))
                                .build()))))
                .containsExactly("valid_for");
    }

    @Test
    void revokesTheLinksOfOnePersonOrOfAll() {
        String run = submit("{approval: ship, required: 2}");
        List<WaitLink> links = links(run, "w", "ann", "bob");

        assertThat(revoke(run, "w", "ann")).isTrue();
        assertThat(reason(failure(() -> use(run, links.get(0).getAcceptToken(), "1"))))
                .isEqualTo("WAIT_LINK_INVALID");
        assertThat(failure(() -> look(run, links.get(0).getDenyToken()))).hasMessageContaining("revoked");
        assertThat(look(run, links.get(1).getAcceptToken()).getActor()).isEqualTo("bob");

        revoke(run, "w");
        assertThat(failure(() -> use(run, links.get(1).getAcceptToken(), "1"))).hasMessageContaining("revoked");
        assertThat(waits(run).getFirst().getReceived()).isZero();
    }

    @Test
    void signsLinksThatWorkAfterARevocation() {
        String run = submit("{approval: ship}");
        String other = submit("{approval: ship}");
        String spared = links(other, "w", "ann").getFirst().getAcceptToken();
        revoke(run, "w");

        use(run, links(run, "w", "ann").getFirst().getAcceptToken(), "1");
        use(other, spared, "1");

        assertThat(run(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(run(other).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
    }

    @Test
    void refusesToRevokeWhatIsNoLink() {
        String run = submit("{approval: ship}");

        assertThat(violatedFields(failure(() -> revoke(run, "")))).containsExactly("step");
        assertThat(violatedFields(failure(() -> revoke(run, "w", "a\nb")))).containsExactly("actors");
        assertThat(reason(failure(() -> revoke("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "w"))))
                .isEqualTo("RUN_NOT_FOUND");
    }

    private static boolean revoke(String run, String step, String... actors) {
        return signals()
                .revokeWaitLinks(RevokeWaitLinksRequest.newBuilder()
                        .setRunId(run)
                        .setStep(step)
                        .addAllActors(Arrays.asList(actors))
                        .build())
                .hasRevokeTime();
    }

    private static List<WaitLink> links(String run, String step, String... actors) {
        return signals().createWaitLinks(request(run, step, actors)).getWaitLinksList();
    }

    private static CreateWaitLinksRequest request(String run, String step, String... actors) {
        return CreateWaitLinksRequest.newBuilder()
                .setRunId(run)
                .setStep(step)
                .addAllActors(Arrays.asList(actors))
                .build();
    }

    private static GetWaitLinkResponse look(String run, String token) {
        return signals()
                .getWaitLink(GetWaitLinkRequest.newBuilder()
                        .setRunId(run)
                        .setToken(token)
                        .build());
    }

    private static UseWaitLinkResponse use(String run, String token, String payload) {
        return signals()
                .useWaitLink(UseWaitLinkRequest.newBuilder()
                        .setRunId(run)
                        .setToken(token)
                        .setPayload(ByteString.copyFromUtf8(payload))
                        .build());
    }
}
