package dev.millrace.e2e.attack;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.contract.Contract;
import dev.millrace.contract.Exchange;
import dev.millrace.contract.Operation;
import dev.millrace.e2e.attack.RestCaller.Decision;
import dev.millrace.e2e.contract.RequestFuzz;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Seed;
import dev.millrace.proto.access.v1.Rule;
import dev.millrace.proto.access.v1.Scope;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends random requests to each address of the OpenAPI document as each kind of caller, and compares each answer with
 * the rule of the RPC behind the address. A request that the gateway passes on shows by its answer to a caller without a
 * token, which is 401; the same request is then sent by all others.
 */
@Tag("nightly")
final class RestRulesTest {
    /** Scopes of requests that name inside what they are about. */
    private static final Set<Scope> NAMED_INSIDE = Set.of(Scope.SCOPE_RUN, Scope.SCOPE_TARGETS);

    /** The operation that takes a token in its body, whoever calls it. */
    private static final String BY_ITS_BODY = "createSession";

    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("millrace.test.fuzz-seconds", 8));
    private static final long ANSWER_MILLIS_MAX = 30_000;
    private static final long STREAM_MILLIS_MAX = 300;
    private static final int TRIES_MAX = 30;
    private static final int ROUNDS_MAX = 100;
    private static final int FINDINGS_MAX = 10;
    /** The folder of all that the requests name. */
    private static final String FOLDER = "hush/";

    private static final RandomGenerator RANDOM = Seed.random("RestRulesTest");

    private final AtomicInteger addresses = new AtomicInteger();
    private final Map<Decision, Integer> checked = new EnumMap<>(Decision.class);
    private final List<String> findings = new ArrayList<>();
    private final Set<String> covered = new TreeSet<>();
    private final Set<String> succeeded = new TreeSet<>();

    @Test
    void nobodyGetsBeyondTheRules(@TempDir Path folder) throws Exception {
        // Each caller has an address of its own, because addresses with many unknown tokens have to wait.
        try (var installation = GuardedInstallation.start(
                        "rest-rules", folder, Map.of("millrace.http.trusted-proxies", "127.0.0.1"));
                var http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            Api owner = new Api(installation.cluster().gatewayUrl(), installation.ownerToken());
            Contract contract = owner.contract();
            List<RestCaller> callers = RestCallers.all(installation);
            Map<String, Rule> rules = rules(installation);
            Collection<List<Operation>> operations = byRpc(contract);
            var requests = new RequestFuzz(
                    installation.cluster().gatewayUrl(),
                    contract,
                    RANDOM,
                    runs(owner),
                    List.of(FOLDER + "echo.py", FOLDER + "waiting", FOLDER + "key", "ask", "ada"));

            long deadline = System.nanoTime() + DURATION.toNanos();
            Collection<List<Operation>> next = operations;
            int rounds = 0;
            do {
                for (List<Operation> same : next) {
                    Operation operation = same.get(RANDOM.nextInt(same.size()));
                    Rule rule = rule(rules, operation);
                    Attempt attempt = attempt(http, contract, requests, operation, rule);
                    attack(http, contract, operation, attempt, rule, callers);
                }
                rounds++;
                // On a busy machine, the time is over after the first round, which may not reach all.
                boolean isOver = System.nanoTime() >= deadline;
                Set<String> uncovered = uncovered(operations, rules);
                next = operations.stream()
                        .filter(same ->
                                !isOver || uncovered.contains(same.getFirst().id()))
                        .toList();
            } while (!next.isEmpty() && rounds < ROUNDS_MAX && findings.size() < FINDINGS_MAX);

            System.out.println("RestRulesTest checked these decisions: " + checked + "; of " + operations.size()
                    + " operations, " + covered.size() + " were reached and " + succeeded.size() + " have succeeded");
            assertThat(findings).isEmpty();
            assertThat(uncovered(operations, rules))
                    .as("operations that no request has reached")
                    .isEmpty();
            assertThat(checked.keySet()).contains(Decision.values());
            assertThat(succeeded).as("operations that have succeeded").hasSizeGreaterThan(operations.size() / 4);
        }
    }

    /** The rules of all RPCs for people, by the name of the RPC. */
    private static Map<String, Rule> rules(GuardedInstallation installation) {
        return RpcMethod.all(installation.anonymous()).stream()
                .filter(method -> method.rule().getScope() != Scope.SCOPE_LEASE
                        && method.rule().getScope() != Scope.SCOPE_SESSION)
                .collect(Collectors.toMap(
                        method -> method.name().substring(method.name().indexOf('/') + 1), RpcMethod::rule));
    }

    private static Rule rule(Map<String, Rule> rules, Operation operation) {
        return requireNonNull(rules.get(operation.rpc()), () -> "no rule of the RPC behind " + operation.id());
    }

    /** The operations that call RPCs. Those with one id are one operation at several addresses. */
    private static Collection<List<Operation>> byRpc(Contract contract) {
        return contract.operations().stream()
                .filter(operation -> !operation.rpc().isEmpty())
                .collect(Collectors.groupingBy(Operation::id, TreeMap::new, Collectors.toList()))
                .values();
    }

    private Set<String> uncovered(Collection<List<Operation>> operations, Map<String, Rule> rules) {
        return operations.stream()
                .map(List::getFirst)
                .filter(operation -> RestCallers.ANONYMOUS.decision(rule(rules, operation)) != Decision.OPEN)
                .map(Operation::id)
                .filter(id -> !covered.contains(id))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> runs(Api owner) {
        owner.deployScript(FOLDER + "echo.py", "def main(value=1):\n    return value\n");
        owner.deployFlow("""
                millrace: v1
                name: hush/waiting
                steps:
                  - {id: ask, wait: {approval: release, timeout: 1h}}
                """, Map.of());
        owner.put("/api/v1/secrets/" + FOLDER + "key", Map.of("value", "correct-horse-battery"))
                .ok();
        var runs = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            runs.add(owner.submit(Map.of("target", Map.of("flow", FOLDER + "waiting"))));
        }
        runs.add("0190f5a8-0000-7000-8000-000000000000");
        return runs;
    }

    /**
     * A request for all callers.
     *
     * @param isPassedOn whether the gateway passes it on, so that the rule decides on it
     */
    private record Attempt(HttpRequest request, boolean isPassedOn) {}

    /** A random request that the gateway passes on, if chance gives one; if the rule lets everybody call, any. */
    private Attempt attempt(HttpClient http, Contract contract, RequestFuzz requests, Operation operation, Rule rule)
            throws Exception {
        boolean isOpen = RestCallers.ANONYMOUS.decision(rule) == Decision.OPEN;
        HttpRequest request = requests.request(operation);
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            HttpRequest shown = as(RestCallers.ANONYMOUS, request);
            HttpResponse<String> answer = await(send(http, shown), ANSWER_MILLIS_MAX);
            checkForm(contract, RestCallers.ANONYMOUS, shown, answer);
            if (answer.statusCode() == 401) {
                covered.add(operation.id());
                return new Attempt(request, true);
            }
            if (isOpen) {
                return new Attempt(request, true);
            }
            if (answer.statusCode() < 400) {
                find(RestCallers.ANONYMOUS, shown, answer, "was served");
            }
            request = requests.request(operation);
        }
        return new Attempt(request, false);
    }

    private void attack(
            HttpClient http,
            Contract contract,
            Operation operation,
            Attempt attempt,
            Rule rule,
            List<RestCaller> callers)
            throws Exception {
        Map<RestCaller, HttpRequest> shown = callers.stream()
                .collect(Collectors.toMap(Function.identity(), caller -> as(caller, attempt.request())));
        Map<RestCaller, CompletableFuture<HttpResponse<String>>> answers = shown.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> send(http, entry.getValue())));
        for (RestCaller caller : callers) {
            Decision decision = caller.decision(rule);
            HttpRequest sent = requireNonNull(shown.get(caller));
            CompletableFuture<HttpResponse<String>> awaited = requireNonNull(answers.get(caller));
            try {
                HttpResponse<String> answer = await(awaited, patience(operation, decision));
                checkForm(contract, caller, sent, answer);
                if (attempt.isPassedOn() && !operation.id().equals(BY_ITS_BODY)) {
                    checkDecision(caller, decision, rule.getScope(), sent, answer);
                }
                if (answer.statusCode() < 300) {
                    succeeded.add(operation.id());
                }
            } catch (TimeoutException stillOpen) {
                awaited.cancel(true);
                if (!mayStream(operation) || isDenial(decision)) {
                    findings.add(caller.name() + " got no answer to " + sent);
                }
            }
        }
    }

    private void checkForm(Contract contract, RestCaller caller, HttpRequest request, HttpResponse<String> answer) {
        if (answer.statusCode() >= 500 && !isOverloaded(answer)) {
            find(caller, request, answer, "made the server fail");
        }
        if (answer.statusCode() == 401
                && !answer.headers().firstValue("www-authenticate").orElse("").startsWith("Bearer")) {
            find(caller, request, answer, "is not told how to authenticate");
        }
        boolean isAnswered = answer.statusCode() < 300 && answer.body().contains(FOLDER);
        if (!caller.mayLookIn() && isAnswered && !names(request) && !listsTokens(request)) {
            find(caller, request, answer, "sees what lies in a folder of others");
        }
        try {
            contract.check(Exchange.of(request, answer));
        } catch (AssertionError notDescribed) {
            findings.add(caller.name() + ": " + notDescribed.getMessage());
        }
    }

    /** Callers see the names of their own tokens, for which they may have sent anything. */
    private static boolean listsTokens(HttpRequest request) {
        return request.method().equals("GET") && request.uri().getPath().endsWith("/tokens");
    }

    private void checkDecision(
            RestCaller caller, Decision decision, Scope scope, HttpRequest request, HttpResponse<String> answer) {
        if (isOverloaded(answer)) {
            return;
        }
        checked.merge(decision, 1, Integer::sum);
        int status = answer.statusCode();
        boolean isRight = switch (decision) {
            case UNKNOWN -> status == 401 || status == 429;
            // A run of a folder is looked up by its id, which may be none; and a batch may name no targets.
            case REFUSED ->
                status == 403
                        || status == 404
                        || (status == 400 && NAMED_INSIDE.contains(scope))
                        || namesNoWorkspace(answer);
            case HIDDEN -> status == 404 || namesNoWorkspace(answer);
            case SERVED -> status != 401;
            case GRANTED -> status != 401 && status != 403;
            case OPEN -> true;
        };
        if (!isRight) {
            find(caller, request, answer, "should have been " + decision);
        }
    }

    /** Whether there was no room for the request, or a quota that another request has set, so that nothing was decided. */
    private static boolean isOverloaded(HttpResponse<String> answer) {
        return (answer.statusCode() == 429 || answer.statusCode() == 503)
                && (answer.body().contains("\"code\":\"overloaded\"")
                        || answer.body().contains("\"code\":\"quota_exceeded\""));
    }

    /** Whether the request names a workspace that cannot exist, which everybody is told. */
    private static boolean namesNoWorkspace(HttpResponse<String> answer) {
        return answer.statusCode() == 400 && answer.body().contains("The request is invalid: workspace:");
    }

    private void find(RestCaller caller, HttpRequest request, HttpResponse<String> answer, String what) {
        findings.add(caller.name() + " " + what + ": " + request + " answered " + answer.statusCode() + " "
                + beginning(answer.body()));
    }

    /** The request as a caller sends it, from an address that nobody else has. */
    private HttpRequest as(RestCaller caller, HttpRequest request) {
        var shown = HttpRequest.newBuilder(request, (_, _) -> true);
        caller.headers().forEach(shown::setHeader);
        int address = addresses.incrementAndGet();
        return shown.setHeader(
                        "x-forwarded-for",
                        "10." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255))
                .build();
    }

    private static CompletableFuture<HttpResponse<String>> send(HttpClient http, HttpRequest request) {
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    private static HttpResponse<String> await(CompletableFuture<HttpResponse<String>> answer, long millis)
            throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(millis, TimeUnit.MILLISECONDS);
    }

    private static long patience(Operation operation, Decision decision) {
        return mayStream(operation) && !isDenial(decision) ? STREAM_MILLIS_MAX : ANSWER_MILLIS_MAX;
    }

    private static boolean isDenial(Decision decision) {
        return switch (decision) {
            case UNKNOWN, REFUSED, HIDDEN -> true;
            case SERVED, GRANTED, OPEN -> false;
        };
    }

    private static boolean mayStream(Operation operation) {
        return operation.answers().values().stream()
                .anyMatch(answer -> answer.content().containsKey("text/event-stream"));
    }

    /** Whether the caller names the folder itself, so that the answer may repeat it. */
    private static boolean names(HttpRequest request) {
        return URLDecoder.decode(request.uri().toString(), StandardCharsets.UTF_8)
                        .contains(FOLDER)
                || request.bodyPublisher().map(body -> body.contentLength() > 0).orElse(false);
    }

    private static String beginning(String body) {
        return body.substring(0, Math.min(body.length(), 1_000));
    }
}
