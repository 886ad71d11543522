// Fills an installation with text that tries to be code, in every field that a person or a job can fill. Where the server
// takes no such text, as in most names, a plain one stands.

/** What begins each attack, with its number: `atk17z`. */
export const MARK = /atk(\d+)z/g;

/** Ways in which text becomes code, or part of a page, if something takes it for more than text. */
const SHAPES = [
  (mark) => `<img src=x onerror="alert('${mark}')" data-attack>`,
  (mark) => `"><script data-attack>alert("${mark}")</script>`,
  (mark) => `'><svg data-attack onload=alert("${mark}")></svg>`,
  (mark) => `<a data-attack href="javascript:alert('${mark}')">${mark}</a>`,
  (mark) => `javascript:alert("${mark}")//`,
  (mark) => `[${mark}](javascript:alert("${mark}")) ![${mark}](https://attack.invalid/${mark})`,
  (mark) => `<iframe data-attack srcdoc="<script>alert('${mark}')</script>"></iframe>`,
  (mark) => `</textarea></script><style data-attack>*{display:none}</style>${mark}`,
  (mark) => `{{constructor.constructor("alert('${mark}')")()}} \${alert("${mark}")} ${mark}`,
  (mark) => `<math><mtext><table><mglyph><style><img src=x onerror=alert("${mark}") data-attack></style></math>${mark}`,
  (mark) => `data:text/html,<script>alert("${mark}")</script>`,
  (mark) => `<base data-attack href="https://attack.invalid/"><form data-attack action="javascript:alert('${mark}')">`,
];

/** Attacks that only a log can hold: sequences of terminals, with a link among them. */
const SEQUENCES = [
  (mark) => `\u001b]8;;javascript:alert("${mark}")\u0007${mark}\u001b]8;;\u0007`,
  (mark) => `\u001b[31m<img src=x onerror=alert("${mark}") data-attack>\u001b[0m`,
  (mark) => `\u001b]0;${mark}\u0007\u001b[2J\u001b[38;2;1;2;3;url(https://attack.invalid)m${mark}`,
];

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Fills the installation.
 *
 * @returns the pages to look at by name, and the field of each attack by its number
 */
export async function fill(server, random) {
  const fields = new Map();
  let count = 0;
  const attack = (field, shapes = SHAPES) => {
    count += 1;
    fields.set(count, field);
    return shapes[Math.floor(random() * shapes.length)](`atk${count}z`);
  };

  /** An attack that pages need not show, since they show nothing of the field, or only whether it is known. */
  const unseen = (field) => {
    const text = attack(field);
    fields.delete([...fields.keys()].at(-1));
    return text;
  };

  async function send(method, path, body) {
    const response = await fetch(`${server}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { isTaken: response.ok, status: response.status, answer: await response.json().catch(() => ({})) };
  }
  async function call(method, path, body) {
    const { isTaken, status, answer } = await send(method, path, body);
    if (!isTaken) {
      throw new Error(`${method} ${path} is answered with ${status}: ${JSON.stringify(answer)}`);
    }
    return answer;
  }
  /** Tries a name that attacks; if the server refuses it, the plain one stands. */
  async function named(field, plain, does) {
    const hostile = attack(field);
    const { isTaken, answer } = await does(hostile);
    if (isTaken) {
      return answer;
    }
    fields.delete([...fields.keys()].at(-1));
    const second = await does(plain);
    if (!second.isTaken) {
      throw new Error(`${field} ${plain} is refused: ${JSON.stringify(second.answer)}`);
    }
    return second.answer;
  }

  const input = () => ({ text: attack("input of a run"), [attack("name of an input")]: attack("undeclared input") });
  const flow = (extra) =>
    JSON.stringify({
      millrace: "v1",
      name: "attack/flow",
      description: attack("description of a flow"),
      inputs: {
        text: { type: "string", description: attack("description of an input"), default: attack("default of an input") },
      },
      open_inputs: true,
      env: { WHERE: attack("environment of a flow") },
      steps: [
        { id: "say", script: "say.py", input: { text: "${{ inputs.text }}" } },
        { id: "told", needs: [], value: attack("value of a step") },
        { id: "fails", needs: ["say"], script: "fail.py", input: { text: "${{ inputs.text }}" }, ...extra },
      ],
    }, null, 2);
  const logged = [...SEQUENCES.keys()].map((at) => attack(`line ${at} of a log`, [SEQUENCES[at]]));
  const files = {
    "say.py":
      `# ${attack("comment of a script")}\nimport json, sys\n\n\ndef main(text):\n` +
      `    for line in json.loads(${JSON.stringify(JSON.stringify(logged))}):\n        print(line)\n` +
      `    print(text, file=sys.stderr)\n    return {${JSON.stringify(attack("name in a result"))}: text}\n`,
    "fail.py":
      `class Hostile(Exception):\n    pass\n\n\nHostile.__name__ = ${JSON.stringify(attack("name of an error"))}\n\n\n` +
      `def main(text):\n    raise Hostile(${JSON.stringify(attack("message of an error"))})\n`,
  };
  const deploy = (extra) =>
    call("POST", "/flows", {
      file_name: "flow.yaml",
      definition: flow(extra),
      files,
      message: attack("message of a deployment"),
    });
  await deploy({});
  const older = (await call("GET", "/flow-versions/attack/flow")).items[0].hash;
  await deploy({ timeout: "1h" });

  const { scripts } = await call("GET", "/flows/attack/flow");

  const target = { flow: "attack/flow" };
  const failed = await call("POST", "/runs?wait=50s", {
    target,
    input: input(),
    env: { WHERE: attack("environment of a run") },
  });
  const again = await call("POST", `/runs/${failed.id}:restart`, {
    reason: attack("reason of an operation"),
    actor: attack("actor of an operation"),
  });
  await call("POST", `/runs/${failed.id}:pin`, { reason: attack("reason of a pin"), actor: attack("actor of a pin") });

  await call("POST", "/scripts", {
    path: "attack/script.py",
    content: `# ${attack("content of a script")}\ndef main(text: str = ""):\n    return text\n`,
    message: attack("message of a script"),
    input_schema: {
      type: "object",
      title: unseen("title of a schema"),
      properties: {
        text: {
          type: "string",
          title: attack("title of a field"),
          description: attack("description of a field"),
          default: attack("default of a field"),
        },
        [attack("name of a field")]: { enum: [attack("choice of a field"), "other"] },
      },
    },
  });

  await call("POST", "/flows", {
    file_name: "flow.yaml",
    definition: JSON.stringify({
      millrace: "v1",
      name: "attack/ask",
      steps: [
        {
          id: "ask",
          wait: {
            approval: "release",
            details: {
              title: attack("title of an approval"),
              description: attack("description of an approval"),
              form: {
                type: "object",
                properties: {
                  why: { type: "string", title: attack("title in a form"), description: attack("help in a form") },
                },
              },
            },
          },
        },
      ],
    }),
    files: {},
  });
  const asked = await call("POST", "/runs", { target: { flow: "attack/ask" } });
  const links = await call("POST", `/runs/${asked.id}/wait-links`, { step: "ask", actors: [attack("actor of a link")] });
  const answered = await call("POST", "/runs", { target: { flow: "attack/ask" } });
  await call("POST", `/runs/${answered.id}:approve`, {
    step: "ask",
    actor: attack("actor of an answer"),
    payload: { why: attack("answer in a form") },
  });

  await call("PUT", "/secrets/attack/key", { value: "a-secret-of-the-test", description: attack("description of a secret") });
  await call("PUT", "/resource-types/attack", {
    schema: { type: "object", title: unseen("title of a resource type") },
    description: unseen("description of a resource type"),
  });
  await call("PUT", "/resources/attack/db", {
    value: { [attack("name in a resource")]: attack("value of a resource") },
    description: attack("description of a resource"),
  });
  await call("PUT", "/schedules/attack/nightly", {
    run: { target, input: input() },
    cron: ["30 2 * * *"],
    zone: "Europe/Berlin",
    description: attack("description of a schedule"),
  });
  await call("PUT", "/triggers/webhook/attack/pushes", {
    run: { target, input: input() },
    webhook: { scheme: "token", secrets: ["attack/key"], header: "x-attack" },
    description: attack("description of a webhook"),
  });
  await call("PUT", "/triggers/event/attack/ends", {
    run: { target },
    event: { types: ["run.failed"], path: "attack/none" },
    description: attack("description of a trigger"),
  });
  const event = `attack:${attack("name of an event")}`;
  await call("PUT", "/event-handlers/attack/ship", {
    event,
    active: true,
    condition: `missing(${JSON.stringify(attack("condition of a handler"))})`,
    actions: [{ action: "start_workflow", start_workflow: { name: attack("name of a workflow"), input: {} } }],
  });
  await call("POST", "/flows", {
    definition: JSON.stringify({
      millrace: "v1",
      name: "attack/publish",
      steps: [{ id: "publish", publish: { event, message: { text: attack("message of an event") } } }],
    }),
    files: {},
  });
  const published = await call("POST", "/runs?wait=50s", { target: { flow: "attack/publish" } });
  await named("address of an alert", "http://receiver.invalid/none", (url) =>
    send("PUT", "/alerts/attack", { types: ["run.failed"], webhook: { url } }),
  );
  await call("POST", "/queues:pause", { tag: "attack", reason: attack("reason of a pause") });

  // Names of principals are not given twice, so that a second round needs others.
  const plain = `attack-${Math.floor(random() * 1e9)}`;
  await named("name of a user", plain, (name) => send("POST", "/users", { name }));
  await named("name of a service account", plain, (name) => send("POST", "/service-accounts", { name }));
  const { items: accounts } = await call("GET", "/service-accounts");
  await named("name of a token", "attack", (name) =>
    send("POST", `/service-accounts/${encodeURIComponent(accounts[0].name)}/tokens`, { name }),
  );
  await named("subject of a role", plain, (name) =>
    send("POST", "/roles", { subject: `group:${name}`, role: "viewer" }),
  );
  await named("name of a workspace", plain, (name) =>
    send("POST", "/workspaces", { name, description: unseen("description of a workspace") }),
  );
  await send("POST", "/bulk-operations", {
    operation: "pin",
    run_ids: [failed.id],
    reason: attack("reason of a bulk operation"),
  });

  const program = await fetch(`${server}/api/v1/device-authorizations`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "attack", client_name: attack("name of a program") }),
  });
  const { user_code: code } = await program.json();

  const run = `/runs/${failed.id}`;
  const fold = "attack";
  return {
    fields,
    pages: {
      home: "/",
      runs: "/runs?name=attack/flow",
      "runs-filter": `/runs?name=${encodeURIComponent(attack("filter in an address"))}`,
      run,
      "run-say": `${run}?step=say`,
      "run-fails": `${run}?step=fails`,
      "run-told": `${run}?step=told`,
      graph: `${run}?tab=graph&step=fails`,
      logs: `${run}?tab=logs`,
      data: `${run}?tab=data`,
      history: `${run}?tab=history`,
      trace: `${run}?tab=trace`,
      compare: `/runs/${failed.id}/compare/${again.id}`,
      asked: `/runs/${asked.id}?step=ask`,
      answered: `/runs/${answered.id}?step=ask`,
      flows: "/flows",
      flow: `/flows/${fold}/flow`,
      "flow-source": `/flows/${fold}/flow?tab=source`,
      "flow-graph": `/flows/${fold}/flow?tab=graph`,
      "flow-versions": `/flows/${fold}/flow?tab=versions`,
      "flow-older": `/flows/${fold}/flow?hash=${older}`,
      "flow-changes": `/flows/${fold}/flow?tab=changes&hash=${older}`,
      "flow-given": `/flows/${fold}/flow?input=${encodeURIComponent(JSON.stringify({ text: attack("input in an address") }))}`,
      scripts: "/scripts",
      script: `/scripts/${fold}/script.py`,
      "script-source": `/scripts/${fold}/script.py?tab=source`,
      "script-versions": `/scripts/${fold}/script.py?tab=versions`,
      "edit-flow": `/editor/flow/${fold}/flow`,
      "edit-script": `/editor/script/${fold}/script.py`,
      approvals: "/approvals",
      link: links.items[0].accept_path.replace(/^.*\/runs\/(.*)\/wait-links\//, "/approvals/$1/"),
      schedules: "/schedules",
      schedule: `/schedules/${fold}/nightly`,
      triggers: "/triggers",
      "triggers-event": "/triggers/event",
      trigger: `/triggers/webhook/${fold}/pushes`,
      "trigger-event": `/triggers/event/${fold}/ends`,
      handlers: "/triggers/handlers",
      handler: `/triggers/handlers/${fold}/ship`,
      published: `/runs/${published.id}?step=publish`,
      alerts: "/alerts",
      alert: `/alerts/${fold}`,
      secrets: "/settings",
      resources: "/settings/resources",
      tokens: "/settings/tokens",
      accounts: "/settings/accounts",
      roles: "/settings/roles",
      people: "/settings/people",
      quotas: "/settings/quotas",
      audit: "/settings/audit",
      storage: "/settings/storage",
      workers: "/workers",
      queues: "/queues",
      "script-of-flow": `/scripts/say.py?tab=source&hash=${scripts.find(({ path }) => path === "say.py").hash}`,
      login: `/login?return_to=${encodeURIComponent(unseen("address after a login"))}`,
      device: `/device?user_code=${code}`,
      "no-device": `/device?user_code=${encodeURIComponent(unseen("code of no program"))}`,
      nowhere: `/settings/${encodeURIComponent(unseen("address of no page"))}`,
      "no-run": `/runs/${encodeURIComponent(attack("id of no run"))}`,
      "no-flow": `/flows/${encodeURIComponent(attack("path of no flow"))}`,
      "no-script": `/scripts/${encodeURIComponent(attack("path of no script"))}`,
      "no-schedule": `/schedules/${encodeURIComponent(attack("path of no schedule"))}`,
      "no-alert": `/alerts/${encodeURIComponent(attack("name of no alert"))}`,
      "no-link": `/approvals/${failed.id}/${encodeURIComponent(unseen("token of no link"))}`,
      "no-workspace": `/runs?workspace=${encodeURIComponent(attack("name of no workspace"))}`,
    },
  };
}
