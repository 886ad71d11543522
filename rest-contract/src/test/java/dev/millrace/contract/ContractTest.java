package dev.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractTest {

    private static final String OPEN_API = """
            openapi: 3.1.0
            paths:
              /things:
                post:
                  operationId: makeThing
                  parameters:
                    - {name: Key, in: header, schema: {type: string, maxLength: 3}}
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema: {$ref: '#/components/schemas/NewThing'}
                        example: {size: 1}
                  responses:
                    '201':
                      headers: {Location: {schema: {type: string}}}
                      content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
                    default: {$ref: '#/components/responses/Problem'}
                get:
                  operationId: listThings
                  parameters:
                    - {name: size, in: query, schema: {type: integer, maximum: 10}}
                  responses:
                    '200':
                      content:
                        application/json:
                          schema:
                            allOf:
                              - {$ref: '#/components/schemas/Page'}
                              - {properties: {items: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}
              /things/{id}:
                get:
                  operationId: getThing
                  responses:
                    '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
                    default: {$ref: '#/components/responses/Problem'}
              /things/{id}:move:
                post:
                  operationId: moveThing
                  responses:
                    '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
              /things/{id}/events:
                get:
                  operationId: watchThing
                  responses:
                    '200':
                      content:
                        text/event-stream:
                          x-events: {thing: {$ref: '#/components/schemas/Thing'}}
              /rooms/{room}/things/{id}:
                $ref: '#/paths/~1things~1%7Bid%7D'
            components:
              responses:
                Problem: {content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
              schemas:
                NewThing:
                  type: object
                  additionalProperties: false
                  required: [size]
                  properties: {size: {type: integer}, note: {type: string}, extra: {type: object}}
                Thing:
                  type: object
                  required: [id]
                  properties: {id: {type: string}, at: {type: string, format: date-time}, extra: {type: object}}
                Page: {type: object, required: [items, next], properties: {items: {type: array}, next: {type: string}}}
                Problem: {type: object, required: [code], properties: {code: {type: string}, detail: {type: string}}}
            """;

    private final Contract contract = Contract.of(OPEN_API);

    @Test
    void knowsTheSecondAddressOfAnOperation() {
        var contract = Contract.of(OPEN_API);

        var second = contract.find("GET", URI.create("http://localhost/rooms/a/things/7"))
                .orElseThrow();

        assertThat(second.id()).isEqualTo("getThing");
        assertThat(second.path()).isEqualTo("/rooms/{room}/things/{id}");
    }

    @Test
    void passesWhatIsDescribed() {
        passes("GET", "/things/a", "", 200, "{\"id\":\"a\",\"extra\":{\"any\":[1]}}");
        passes("GET", "/things/a/b/c.py", "", 200, "{\"id\":\"a\"}");
        passes("POST", "/things/a:move", "", 200, "{\"id\":\"a\"}");
        passes("GET", "/things?size=3", "", 200, "{\"items\":[{\"id\":\"a\"}],\"next\":\"\"}");
        passes("POST", "/things", "{\"size\":1,\"note\":null,\"extra\":{\"x\":null}}", 201, "{\"id\":\"a\"}");
        passes("POST", "/things", "nonsense", 400, "{\"code\":\"malformed_json\"}");
        passes("GET", "/elsewhere", "", 404, "{\"code\":\"no_such_address\"}");
    }

    @Test
    void failsAtAFieldThatIsNotDescribed() {
        fails("GET", "/things/a", "", 200, "{\"id\":\"a\",\"colour\":1}", "colour");
        fails("GET", "/things", "", 200, "{\"items\":[{\"id\":\"a\",\"colour\":1}],\"next\":\"\"}", "colour");
        fails("GET", "/things", "", 200, "{\"items\":[],\"next\":\"\",\"previous\":\"\"}", "previous");
        fails("GET", "/things/a", "", 404, "{\"code\":\"x\",\"colour\":1}", "colour");
    }

    @Test
    void failsAtAValueThatDoesNotFit() {
        fails("GET", "/things/a", "", 200, "{}", "id");
        fails("GET", "/things/a", "", 200, "{\"id\":1}", "/id");
        fails("GET", "/things/a", "", 200, "{\"id\":\"a\",\"at\":\"today\"}", "/at");
        fails("GET", "/things/a", "", 200, "{\"id\":", "is not JSON");
    }

    @Test
    void failsAtAnAnswerThatIsNotDescribed() {
        fails("GET", "/things/a", "", 204, "", "the status 204 is not described");
        fails("POST", "/things/a:move", "", 400, "{\"code\":\"x\"}", "the status 400 is not described");
        fails("GET", "/elsewhere", "", 200, "{}", "no such operation");
    }

    @Test
    void failsAtARequestThatIsAcceptedThoughItIsNotDescribed() {
        fails("POST", "/things", "{\"size\":\"1\"}", 201, "{\"id\":\"a\"}", "/size");
        fails("POST", "/things", "", 201, "{\"id\":\"a\"}", "the body is missing");
        fails("POST", "/things/a:move", "{}", 200, "{\"id\":\"a\"}", "no body is described");
        fails("GET", "/things?size=11", "", 200, "{\"items\":[],\"next\":\"\"}", "size");
        fails("GET", "/things?other=1", "", 200, "{\"items\":[],\"next\":\"\"}", "other");
        var wrong = exchange("GET", "/things/a", "", 200, "{\"id\":\"a\"}", Map.of("key", List.of("abc")), Map.of());
        assertThatThrownBy(() -> contract.check(wrong)).hasMessageContaining("the header key of the request");
    }

    @Test
    void failsAtAFieldThatIsRejectedThoughItIsDescribed() {
        fails("POST", "/things", "{\"size\":1}", 400, "{\"code\":\"unknown_field\"}", "but the document allows it");
    }

    @Test
    void failsAtAHeaderThatIsNotDescribed() {
        var moved = exchange(
                "GET", "/things/a", "", 200, "{\"id\":\"a\"}", Map.of(), Map.of("location", List.of("/things/a")));

        assertThatThrownBy(() -> contract.check(moved)).hasMessageContaining("the header location of the answer");
    }

    @Test
    void checksEvents() {
        var uri = URI.create("http://localhost/things/a/events");

        contract.checkEvent("GET", uri, "thing", "{\"id\":\"a\"}");
        assertThatThrownBy(() -> contract.checkEvent("GET", uri, "thing", "{\"id\":\"a\",\"colour\":1}"))
                .hasMessageContaining("colour");
        assertThatThrownBy(() -> contract.checkEvent("GET", uri, "other", "{}"))
                .hasMessageContaining("the event other is not described");
    }

    @Test
    void knowsWhatItHasNotSeen() {
        passes("GET", "/things/a", "", 200, "{\"id\":\"a\"}");
        contract.checkEvent("GET", URI.create("http://localhost/things/a/events"), "thing", "{\"id\":\"a\"}");

        assertThat(contract.unseen())
                .containsExactly(
                        "listThings 200 application/json",
                        "makeThing 201 application/json",
                        "moveThing 200 application/json");
    }

    @Test
    void checksTheExamplesOfTheDocument() {
        assertThat(contract.checkExamples()).isEmpty();
        assertThat(Contract.of(OPEN_API.replace("{size: 1}", "{size: one}")).checkExamples())
                .singleElement()
                .asString()
                .contains("makeThing", "/size");
    }

    private void passes(String method, String path, String body, int status, String answer) {
        assertThatCode(() -> contract.check(exchange(method, path, body, status, answer, Map.of(), Map.of())))
                .doesNotThrowAnyException();
    }

    private void fails(String method, String path, String body, int status, String answer, String expected) {
        assertThatThrownBy(() -> contract.check(exchange(method, path, body, status, answer, Map.of(), Map.of())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(expected);
    }

    private static Exchange exchange(
            String method,
            String path,
            String body,
            int status,
            String answer,
            Map<String, List<String>> sent,
            Map<String, List<String>> received) {
        return new Exchange(
                method,
                URI.create("http://localhost" + path),
                headers("application/json", sent),
                body,
                status,
                headers(status < 400 ? "application/json" : "application/problem+json", received),
                answer);
    }

    private static HttpHeaders headers(String type, Map<String, List<String>> others) {
        var headers = new java.util.HashMap<>(others);
        headers.put("content-type", List.of(type));
        return HttpHeaders.of(headers, (_, _) -> true);
    }
}
