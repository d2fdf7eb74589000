"""A headless Chromium, controlled through a pipe with the Chrome DevTools Protocol.

It needs nothing but the Python standard library.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT = 60


def installed():
    """Returns the path of a Chromium, or None."""
    names = ["chromium", "chromium-browser", "google-chrome"]
    return next((path for path in map(shutil.which, names) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    """A browser process. Use it in a `with` statement."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="trace-browser-")
        self.number = 0
        self.buffer = b""
        self.events = []
        commands, self.writer = os.pipe()
        self.reader, answers = os.pipe()

        def use_pipes():
            # The browser reads from descriptor 3 and writes to 4. The copies avoid a clash of
            # numbers.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=use_pipes, close_fds=False)
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            self.process.kill()
        self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                raise BrowserError("The browser does not answer.")
            data = os.read(self.reader, 1 << 20)
            if not data:
                raise BrowserError("The browser ended.")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data):]
        deadline = time.monotonic() + TIMEOUT
        while True:
            answer = self.receive(deadline)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def tab(self, width=1280, height=800, dark=False, scripts=True):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session, target)
        for domain in ["Page", "Runtime", "Log"]:
            tab.call(f"{domain}.enable")
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 600)
        tab.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if not scripts:
            tab.call("Emulation.setScriptExecutionDisabled", value=True)
        return tab


class Tab:
    """A page in a browser."""

    def __init__(self, browser, session, target):
        self.browser = browser
        self.session = session
        self.target = target

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def wait(self, method):
        """Waits for an event. Events that came before count."""
        def matches(event):
            return event.get("sessionId") == self.session and event.get("method") == method
        deadline = time.monotonic() + TIMEOUT
        while True:
            for index, event in enumerate(self.browser.events):
                if matches(event):
                    return self.browser.events.pop(index)
            self.browser.events.append(self.browser.receive(deadline))

    def open(self, address):
        """Opens an address, waits until it is drawn, and returns the seconds that it took."""
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.browser.events.clear()
        start = time.monotonic()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")
        # The screenshot waits for the first frame.
        self.call("Page.captureScreenshot", format="jpeg", quality=1)
        return time.monotonic() - start

    def run(self, expression):
        """Evaluates JavaScript in the page and returns its value."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Waits until the page has drawn what it has to draw."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
                 ".then(() => 0)")

    def press(self, key, text=None):
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9}
        parameters = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0]))}
        if text or len(key) == 1:
            parameters["text"] = text or key
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def click(self, x, y):
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def drag(self, start, end):
        """Drags from a point to another one."""
        moves = [("mousePressed", start), ("mouseMoved", ((start[0] + end[0]) / 2, end[1])),
                 ("mouseMoved", end), ("mouseReleased", end)]
        for kind, (x, y) in moves:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1,
                      clickCount=1)
        self.settle()

    def pdf(self):
        """Prints the page and returns the PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def unnamed(self, roles):
        """Returns the roles of accessible objects that have no name."""
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        return [node["role"]["value"] for node in tree
                if not node.get("ignored") and node["role"]["value"] in roles
                and not node.get("name", {}).get("value")]

    def errors(self):
        """Returns the messages on the console and the exceptions."""
        texts = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event.get("method") == "Runtime.exceptionThrown":
                texts.append(json.dumps(event["params"]["exceptionDetails"])[:400])
            elif event.get("method") == "Runtime.consoleAPICalled":
                texts.append(json.dumps(event["params"]["args"])[:400])
            elif event.get("method") == "Log.entryAdded":
                texts.append(event["params"]["entry"]["text"])
        return texts

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
