extension Retention {
  /// One link of a retention path. It retains the next step.
  package struct Step: Sendable, Equatable {
    package var kind: Kind
    /// The location in the source, such as `Module/File.swift:26`, or nil if unknown.
    package var site: String?
    /// The column of that location, from 1, or nil if unknown.
    package var column: Int?
    package var strength: Strength

    package init(
      _ kind: Kind, site: String? = nil, column: Int? = nil, strength: Strength = .strong
    ) {
      self.kind = kind
      self.site = site
      self.column = column
      self.strength = strength
    }

    /// The strength of the reference to the next step. The raw value is the text of the key `ref`.
    package enum Strength: String, CaseIterable, Sendable {
      case strong, weak, unowned
      /// A word that may be a pointer.
      case possible
    }

    /// The kinds of steps, each with its facts.
    package enum Kind: Sendable, Equatable {
      /// A traced subscription. The ID is nil if the log has a number that can't be one.
      case subscription(SubscriptionID?, lane: String)
      case closure(Closure)
      /// The object whose retention was searched for, with its class.
      case object(String)
      /// The closure that the library makes for `assign(to:on:)`, with the class that it captures.
      case assignment(captures: String)
      /// A task that hasn't ended, with the user's class that it leads to.
      case task(holds: String?, waitsForContinuation: Bool)
      /// A stored property of a user's object.
      case field(Field)
      case variable(Variable)
      /// A variable of a function that hasn't returned.
      case localVariable
      /// A thread-specific value.
      case threadValue
      /// A Foundation `Thread` whose block hasn't returned.
      case runningThread
      /// The `Thread.threadDictionary` of a thread that hasn't ended.
      case threadDictionary
      case queue(Queue)
      /// A `DispatchGroup` that was entered or that has a block to run.
      case group
      /// A block that `asyncAfter` runs later.
      case delay
      /// A block that probably waits in libdispatch.
      case block
      /// A Foundation `Timer`.
      case timer
      /// The omitted steps of a long path.
      case omitted(Int)
      /// A step of a kind that a later version added: its text and its detail.
      case text(String, detail: String)
    }

    /// Code that captures something.
    package struct Closure: Sendable, Equatable {
      package enum Form: String, CaseIterable, Sendable {
        case closure
        /// A method that is used as a closure, as in `observeNext(self.update)`.
        case methodReference = "method"
        /// A function inside another one that is used as a closure. It can't have a capture list.
        case nestedFunction = "function"
      }

      package var form: Form
      /// The name of the nested function. For a closure or a method, the enclosing function or the
      /// method, if the source location is unknown.
      package var function: String?
      /// The program file and the offset of the code in it, such as `App+0x4f20`, if the code
      /// doesn't have a name.
      package var code: String?
      package var capture: Capture

      package init(
        _ form: Form, function: String? = nil, code: String? = nil, capture: Capture
      ) {
        self.form = form
        self.function = function
        self.code = code
        self.capture = capture
      }
    }

    /// The capture of a closure that leads to the next step.
    package struct Capture: Sendable, Equatable {
      package enum Kind: Sendable, Equatable {
        case object
        /// An object that disposes subscriptions, such as a bag.
        case disposable
        /// A variable that the closure can change.
        case variable
        /// A structure or enumeration of the given type, which contains the object.
        case value(String)
        case collection
        /// Another closure, or something without a name.
        case unknown
      }

      package var kind: Kind
      /// The class of the captured object, or nil if unknown.
      package var type: String?
      /// The name of the captured variable or constant, or nil if unknown.
      package var name: String?
      package var isSelf: Bool
      /// A Boolean value that indicates whether the captured variable holds the closure itself.
      package var holdsClosure: Bool

      package init(
        _ kind: Kind, type: String? = nil, name: String? = nil, isSelf: Bool = false,
        holdsClosure: Bool = false
      ) {
        self.kind = kind
        self.type = type
        self.name = name
        self.isSelf = isSelf
        self.holdsClosure = holdsClosure
      }
    }

    /// A stored property of an object.
    package struct Field: Sendable, Equatable {
      /// The class of the object.
      package var owner: String
      /// The name of the property, or nil if unknown or made by a macro.
      package var name: String?
      package var content: Content
      package var holding: Holding
      /// The module of the class if its source is that of a dependency, which users don't change.
      package var library: String?

      package init(
        _ owner: String, _ name: String?, _ content: Content, _ holding: Holding,
        library: String? = nil
      ) {
        self.owner = owner
        self.name = name
        self.content = content
        self.holding = holding
        self.library = library
      }

      /// The content of the property.
      package enum Content: Sendable, Equatable {
        /// A value of a type, as written in the source: `[Screen]`.
        case type(String)
        case other(Other)

        /// Values without a type in the source. The raw value is the text of the key `target`.
        package enum Other: String, CaseIterable, Sendable {
          case closure, disposable, task, block
          /// The box of a captured variable.
          case box
          /// An object of libdispatch.
          case dispatchObject = "dispatch"
          case unknown
        }
      }

      /// The way in which the property retains the next step. The raw value is the text of the key
      /// `way`.
      package enum Holding: String, CaseIterable, Sendable {
        /// A reference that can be declared `weak` without other changes.
        case optionalReference = "optional-reference"
        /// A reference that isn't optional.
        case reference
        /// A reference to an object that nothing else owns: that of a lazy property, or the storage
        /// of a collection or a lock.
        case owner
        /// A reference to an object of a library that must be ended, such as a `URLSession`.
        case resource
        case collection
        case closure
        /// An optional that can't be weak.
        case optional
        /// A disposable that keeps its subscription alive until it is disposed.
        case disposable
        /// A disposable that disposes its subscription when it is deallocated, such as a bag.
        case bag
        /// Something that can't be weak: a property, a structure.
        case other
      }
    }

    /// A variable that lives until the process exits.
    package struct Variable: Sendable, Equatable {
      package enum Scope: String, CaseIterable, Sendable {
        case global
        case staticMember = "static"
        /// A variable of a system library.
        case library
        /// A global or static variable without a name.
        case unknown = "variable"
      }

      package var scope: Scope
      /// The name with the enclosing type: `Session.shared`. Empty if unknown.
      package var name: String
      /// The library that contains the variable, or nil if the program itself contains it.
      package var library: String?

      package init(_ scope: Scope, _ name: String = "", library: String? = nil) {
        self.scope = scope
        self.name = name
        self.library = library
      }
    }

    /// A dispatch queue with a block in it.
    package struct Queue: Sendable, Equatable {
      package enum Kind: Sendable, Equatable {
        case main
        /// A queue that the system provides for a quality of service.
        case global
        /// A queue with a label, which may be empty.
        case labeled(String)
      }

      package var kind: Kind
      package var isSuspended: Bool

      package init(_ kind: Kind, isSuspended: Bool) {
        self.kind = kind
        self.isSuspended = isSuspended
      }
    }
  }
}

extension Retention.Step {
  /// The subscription of this step, or nil if the step isn't a subscription.
  package var subscription: SubscriptionID? {
    switch kind {
    case .subscription(let id, _): id
    default: nil
    }
  }

  /// A Boolean value that indicates whether the step is code of the user that retains something.
  package var isCode: Bool {
    switch kind {
    case .closure, .assignment, .task: true
    default: false
    }
  }

  /// The property of this step, or nil if the step isn't a property.
  package var field: Field? {
    if case .field(let field) = kind { field } else { nil }
  }

  /// A Boolean value that indicates whether the step is a closure that captures `self`.
  var capturesSelf: Bool {
    if case .closure(let closure) = kind { closure.capture.isSelf } else { false }
  }

  /// A Boolean value that indicates whether the step is the user's: code or a property of an
  /// object.
  package var isOfUser: Bool { isCode || field != nil }
}
