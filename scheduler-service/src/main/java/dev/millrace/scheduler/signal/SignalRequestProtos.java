package dev.millrace.scheduler.signal;

import com.google.protobuf.ByteString;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.signal.SignalDelivery.Message;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Validates requests about waits and signals. Each method throws an exception if a field is invalid. */
final class SignalRequestProtos {
    private static final int ACTOR_LENGTH_MAX = 200;
    private static final int REQUEST_ID_LENGTH_MAX = 128;

    private SignalRequestProtos() {}

    static Message message(SendSignalRequest request) {
        Violations violations = new Violations();
        requireText("name", request.getName(), 1, RunSignal.NAME_LENGTH_MAX, violations);
        return message(SignalKind.RESUME, request.getPayload(), request.getActor(), request.getRequestId(), violations);
    }

    static Message message(AnswerWaitRequest request) {
        Violations violations = new Violations();
        Optional<SignalKind> kind = WaitProtos.kind(request.getAnswer());
        violations.require(kind.isPresent(), "answer", "is missing (expected: approve, deny or complete)");
        requireText("step", request.getStep(), 0, RunSignal.NAME_LENGTH_MAX, violations);
        return message(
                kind.orElse(SignalKind.RESUME),
                request.getPayload(),
                request.getActor(),
                request.getRequestId(),
                violations);
    }

    static Json payload(UseWaitLinkRequest request) {
        Violations violations = new Violations();
        Json payload = payload(request.getPayload(), violations);
        violations.throwIfAny();
        return payload;
    }

    /** Returns the people to create links for. Also validates the step. */
    static List<String> actors(CreateWaitLinksRequest request, Access by) {
        Violations violations = new Violations();
        requireText("step", request.getStep(), 1, RunSignal.NAME_LENGTH_MAX, violations);
        List<String> actors = List.copyOf(request.getActorsList());
        violations.require(
                !actors.isEmpty() && actors.size() <= WaitLinks.ACTORS_MAX,
                "actors",
                "has " + actors.size() + " names (expected: 1 to " + WaitLinks.ACTORS_MAX + ")");
        violations.require(
                Set.copyOf(actors).size() == actors.size(), "actors", "has a name twice: give each person one name");
        actors.forEach(actor -> requireText("actors", actor, 1, ACTOR_LENGTH_MAX, violations));
        violations.throwIfAny();
        by.requireMayActAs(actors);
        return actors;
    }

    /** Returns the people whose links are to be revoked; empty means everybody. Also validates the step. */
    static List<String> actors(RevokeWaitLinksRequest request) {
        Violations violations = new Violations();
        requireText("step", request.getStep(), 1, RunSignal.NAME_LENGTH_MAX, violations);
        List<String> actors = List.copyOf(request.getActorsList());
        violations.require(
                actors.size() <= WaitLinks.ACTORS_MAX,
                "actors",
                "has " + actors.size() + " names (expected: at most " + WaitLinks.ACTORS_MAX + ")");
        violations.require(
                Set.copyOf(actors).size() == actors.size(), "actors", "has a name twice: give each person one name");
        actors.forEach(actor -> requireText("actors", actor, 1, ACTOR_LENGTH_MAX, violations));
        violations.throwIfAny();
        return actors;
    }

    static Duration validFor(CreateWaitLinksRequest request) {
        if (!request.hasValidFor()) {
            return WaitLinks.VALID_DEFAULT;
        }
        Violations violations = new Violations();
        Optional<Duration> given = violations.collect("valid_for", () -> TimeProtos.duration(request.getValidFor()));
        given.ifPresent(time -> violations.require(
                time.compareTo(Duration.ofSeconds(1)) >= 0 && time.compareTo(WaitLinks.VALID_MAX) <= 0,
                "valid_for",
                "is " + time.toSeconds() + " s (expected: 1 s to " + WaitLinks.VALID_MAX.toDays() + " days)"));
        violations.throwIfAny();
        return given.orElseThrow();
    }

    private static Message message(
            SignalKind kind, ByteString payload, String actor, String requestId, Violations violations) {
        requireText("actor", actor, 0, ACTOR_LENGTH_MAX, violations);
        requireText("request_id", requestId, 0, REQUEST_ID_LENGTH_MAX, violations);
        Json json = payload(payload, violations);
        violations.throwIfAny();
        return new Message(kind, json, Access.current().actor(actor), requestId);
    }

    private static Json payload(ByteString payload, Violations violations) {
        if (payload.isEmpty()) {
            return Json.NULL;
        }
        Optional<String> text = RequestFields.text("payload", payload, RunSignal.PAYLOAD_LENGTH_MAX, violations);
        text.flatMap(JsonText::problem)
                .ifPresent(problem -> violations.add("payload", "is not valid JSON: " + problem));
        return text.map(Json::new).orElse(Json.NULL);
    }

    private static void requireText(String field, String text, int min, int max, Violations violations) {
        violations.require(
                text.length() >= min && text.length() <= max && text.chars().noneMatch(Character::isISOControl),
                field,
                "has " + text.length() + " characters (expected: " + min + " to " + max
                        + ", without control characters)");
    }
}
