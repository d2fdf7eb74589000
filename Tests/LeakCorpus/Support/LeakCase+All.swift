extension LeakCase {
  /// All cases.
  static var all: [LeakCase] { leaks + lookalikes }

  private static let leaks: [LeakCase] = [
    addressForm, albumScreen, alertSheet, audioEngine, autocomplete, badgeView, bannerScreen,
    cartStore, chartView, chatRoom, checkoutScreen, commentList, countdown, counterScreen,
    currentUser, detailScreen, downloadRow, drawingCanvas, eventLog, folderNode, gameScene,
    greetingScreen, hotelSearch, imageCache, inboxScreen, invoiceScreen, jobMonitor, keyStream,
    leaseHolder, likeButton, lineSubscriber, linkRouter, listModel, liveStream, loadingScreen,
    loginScreen, mapScreen, metricsRecorder, mixerPanel, newsTicker, pixelBuffer,
    playbackController, playerScreen, positionReader, presenceList, priceTag, profileModel,
    queryModel, radioStation, ratesScreen, reportLoader, retryBanner, routeScreen, scoreBoard,
    searchScreen, selectionModel, sessionModel, settingsTable, statusItem, stockTicker, stopwatch,
    suggestions, syncScreen, tabBar, temperatureConverter, themeModel, tokenRequest, trackList,
    translationPane, uploadQueue, usageStatistics, visitLog, voteCounter, weatherRow,
  ]

  private static let lookalikes: [LeakCase] = [
    avatarLoader, backgroundJob, balanceDial, boundLabel, boundProperty, bridgedScreen, cityForm,
    clockFace, closingWindow, commandTable, compassReader, crashReporter, cursorModel,
    disposingView, eggTimer, emptiedSet, ferryScreen, finishedWizard, forgottenPair, gridModel,
    heartbeatLogger, limitedAttempts, loginRequest, menuBarClock, mouseStream, outlineNode,
    packetSubscriber, paletteView, passwordRequest, photoImport, presetPicker, racingDownload,
    receiptScreen, recordedStream, releasedSink, rentalHolder, reusedCell, rowPresenter,
    sharedLocation, signUpScreen, spellChecker, statusLight, subtitleTrack, syncStatus,
    thumbnailCache, tipOfTheDay, trafficMeter, typingIndicator, uncheckedScreen, unownedScreen,
    videoController, visitorCounter, volumeModel, weakMap, weakScreen, windowTitle,
  ]
}
